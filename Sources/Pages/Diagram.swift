/// Boxes with rows and the lines between them, such as entities with their properties and relationships, and lanes of arcs
/// below them, such as versions with their migrations.
package struct Diagram {
  package struct Row {
    /// `+`, `−`, `≠`, or nothing.
    package var mark: String
    package var text: String
    package var kind: Kind
    /// The whole text, if it is shortened.
    package var whole: String?

    package enum Kind: Hashable {
      /// `name Type`, with `?` at the end if it is optional.
      case attribute
      /// A line shows it, too.
      case relationship(String)
      /// What is said of the row before, or of the box.
      case note
    }

    package init(_ text: String, mark: String = "", _ kind: Kind = .note) {
      (self.text, self.mark, self.kind) = (text, mark, kind)
    }
  }

  package struct Box {
    package var name: String
    package var mark: String
    /// Beside the name: the first bytes of a hash.
    package var note: String
    package var rows: [Row]
    /// Whether it only exists in the older of two models, or has no objects of its own.
    package var isDashed: Bool

    package init(name: String, mark: String = "", note: String, rows: [Row], isDashed: Bool) {
      (self.name, self.mark, self.note, self.rows) = (name, mark, note, rows)
      self.isDashed = isDashed
    }
  }

  /// One end of a line.
  package struct End {
    package var box: Int
    /// The row of the relationship; `nil` for the name of the box.
    package var row: Int?
    /// The number of objects at this end.
    package var count: Count

    package init(box: Int, row: Int?, count: Count) {
      (self.box, self.row, self.count) = (box, row, count)
    }
  }

  package enum Count {
    case one, optionalOne, many, requiredMany
    /// The parent of an entity, and its subentity.
    case parent, child
    /// A relationship without an inverse says nothing about this end.
    case unknown
    /// Where a direction ends.
    case target
  }

  package struct Line {
    package var from: End
    package var to: End
    /// The names of the relationships.
    package var label: String

    package init(from: End, to: End, label: String) {
      (self.from, self.to, self.label) = (from, to, label)
    }
  }

  /// Arcs between boxes that belong together: the hops of a strategy.
  package struct Lane {
    package var name: String
    package var arcs: [Arc]

    package init(_ name: String, _ arcs: [Arc]) { (self.name, self.arcs) = (name, arcs) }
  }

  /// An arc between two boxes; dashed if there is no path.
  package struct Arc {
    package var from: Int
    package var to: Int
    package var label: String
    /// What else is to be known, in the description of the arc.
    package var note: String
    package var isDashed: Bool

    package init(from: Int, to: Int, label: String, note: String = "", isDashed: Bool = false) {
      (self.from, self.to, self.label, self.note) = (from, to, label, note)
      self.isDashed = isDashed
    }
  }

  package var title: String
  package var summary: String
  package var boxes: [Box]
  package var lines: [Line]
  /// The column of each box, from the left; `nil` for a grid in which connected boxes are close.
  package var columns: [Int]?
  package var lanes: [Lane]

  package init(
    title: String, summary: String, boxes: [Box] = [], lines: [Line] = [], columns: [Int]? = nil,
    lanes: [Lane] = []
  ) {
    (self.title, self.summary, self.boxes, self.lines) = (title, summary, boxes, lines)
    (self.columns, self.lanes) = (columns, lanes)
  }

  /// The order in which boxes are placed: each after one that it is connected to, the most connected first.
  var order: [Int] {
    var neighbors = [[Int]](repeating: [], count: boxes.count)
    for line in lines where line.from.box != line.to.box {
      neighbors[line.from.box].append(line.to.box)
      neighbors[line.to.box].append(line.from.box)
    }
    let byDegree = boxes.indices.sorted {
      (neighbors[$1].count, $0) < (neighbors[$0].count, $1)
    }
    var (found, seen): ([Int], Set<Int>) = ([], [])
    for start in byDegree where seen.insert(start).inserted {
      var waiting = [start][...]
      while let next = waiting.popFirst() {
        found.append(next)
        for other in neighbors[next].sorted() where seen.insert(other).inserted {
          waiting.append(other)
        }
      }
    }
    return found
  }

  /// A text behind its mark, if it has one.
  static func marked(_ text: String, _ mark: String) -> String {
    mark.isEmpty ? text : "\(mark) \(text)"
  }
}
