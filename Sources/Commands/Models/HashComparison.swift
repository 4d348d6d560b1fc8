internal import StrataBase
internal import StrataObjectModel
internal import StrataRendering

/// The differences between the digests of two models, entities or properties: only the pieces whose bytes
/// differ.
struct HashComparison {
  private let first: HashExplanation
  private let second: HashExplanation
  private let names: (first: String, second: String)
  private let differences: [Difference]

  /// A digest of the two references.
  fileprivate struct Difference {
    var subject: HashSubject
    var first: HashStep?
    var second: HashStep?
    /// The pieces that are in only one of the two, in their order.
    var pieces: [(isFirst: Bool, piece: HashStep.Piece)]
  }

  init(_ first: HashExplanation, _ second: HashExplanation) throws(Diagnostic) {
    guard first.isComparable(with: second) else {
      throw Diagnostic(
        id: "command.usage",
        what: "\(first.reference) and \(second.reference) are of different kinds",
        fix: "name two models, two entities or two properties")
    }
    for side in [first, second] {
      guard case .property = side.subject, side.steps.isEmpty else { continue }
      throw Diagnostic(
        id: "hash.none", what: "\(side.reference) is transient or fetched: it is not hashed",
        fix: "name a property that is stored")
    }
    self.first = first
    self.second = second
    let (one, two) = (first.model.versionName, second.model.versionName)
    names = one == two ? (first.reference, second.reference) : (one, two)
    differences = Self.differences(first, second)
  }

  /// The digests of both, in the order of the first; of digests in only one of them, only the entities.
  private static func differences(
    _ first: HashExplanation, _ second: HashExplanation
  ) -> [Difference] {
    var others = Dictionary(
      uniqueKeysWithValues: second.steps.map { (second.key(of: $0.subject), $0) })
    var differences: [Difference] = []
    for step in first.steps {
      guard let other = others.removeValue(forKey: first.key(of: step.subject)) else {
        if step.subject.kind == .entity {
          differences.append(Difference(subject: step.subject, first: step, pieces: []))
        }
        continue
      }
      guard step.result != other.result else { continue }
      differences.append(
        Difference(
          subject: step.subject, first: step, second: other,
          pieces: pieces(of: step, and: other)))
    }
    let added = second.steps.filter {
      $0.subject.kind == .entity && others[second.key(of: $0.subject)] != nil
    }
    return differences + added.map { Difference(subject: $0.subject, second: $0, pieces: []) }
  }

  /// The pieces that differ; the old piece of a field precedes the new one.
  private static func pieces(
    of first: HashStep, and second: HashStep
  ) -> [(isFirst: Bool, piece: HashStep.Piece)] {
    var pieces: [(isFirst: Bool, piece: HashStep.Piece)] = []
    var right = second.pieces[...]
    let fields = Set(first.pieces.map(\.alignment))
    for piece in first.pieces {
      guard right.contains(where: { $0.alignment == piece.alignment }) else {
        pieces.append((true, piece))
        continue
      }
      // New fields precede the field that follows them in both.
      while let new = right.first, !fields.contains(new.alignment) {
        pieces.append((false, new))
        right.removeFirst()
      }
      guard let index = right.firstIndex(where: { $0.alignment == piece.alignment }) else { break }
      let other = right.remove(at: index)
      guard piece.bytes != other.bytes else { continue }
      pieces += [(true, piece), (false, other)]
    }
    return pieces + right.map { (false, $0) }
  }

  // MARK: Output

  var outcome: Outcome {
    let json: JSONValue = [
      "first": first.reference, "second": second.reference, "equal": differences.isEmpty,
      "digests": differences.map(\.json),
    ]
    let warnings = first.warnings + second.warnings
    guard !differences.isEmpty else {
      let names = "\(first.reference) and \(second.reference)"
      return Outcome(
        .lines(
          HashRows.wrapped(StyledText("equal", .good) + StyledText(": the hashes of \(names)"))),
        json: json, warnings: warnings)
    }
    return Outcome(.sections(differences.map(view)), json: json, warnings: warnings)
  }

  private func view(_ difference: Difference) -> View {
    let heading = StyledText(difference.heading, .heading)
    guard let first = difference.first, let second = difference.second else {
      let name = difference.first == nil ? names.second : names.first
      return .lines(HashRows.wrapped(heading + StyledText(": only in \(name)")))
    }
    let rows: [[StyledText]] = difference.pieces.flatMap { isFirst, piece in
      HashRows.cells(piece, isFirst ? .removed : .added).enumerated().map { index, cells in
        [StyledText(index > 0 ? "" : isFirst ? "  -" : "  +")] + cells
      }
    }
    return .stack([
      .lines(HashRows.wrapped(heading)),
      .table(columns: [.init(""), .init("bytes"), .init("meaning")], rows: rows),
      .lines([
        StyledText("  - \(first.result)", .removed), StyledText("  + \(second.result)", .added),
      ]),
    ])
  }
}

extension HashComparison.Difference {
  /// The names of both subjects if an entity or property was renamed.
  fileprivate var heading: String {
    let names = [first, second].compactMap { $0?.subject.description }
    return Set(names).count == 2 ? names.joined(separator: " -> ") : names[0]
  }

  /// The digest of a side is omitted if only the other reference has the entity.
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "subject": subject.description,
      "pieces": pieces.json { isFirst, piece in
        [
          "side": isFirst ? "first" : "second", "bytes": piece.bytes.hex, "meaning": piece.meaning,
        ]
      },
      "first": first?.result.hex, "second": second?.result.hex,
    ])
  }
}

extension HashExplanation {
  fileprivate func isComparable(with other: HashExplanation) -> Bool {
    switch (subject, other.subject) {
    case (.model, .model), (.entity, .entity), (.property, .property): true
    default: false
    }
  }

  /// The key by which digests of both are paired; for two named entities or properties
  /// it is independent of their names.
  fileprivate func key(of subject: HashSubject) -> HashSubject {
    guard case .model = self.subject else {
      guard let root = steps.last?.subject, subject.kind != .element else { return subject }
      var key = subject
      // An attribute may have become a relationship.
      if key.kind == .relationship { key.kind = .attribute }
      if key.owner == root.owner { key.owner = "" }
      if key.owner.isEmpty, root.property != nil, key.property == root.property {
        key.property = ""
      }
      return key
    }
    return subject
  }
}

extension HashStep.Piece {
  /// The key by which pieces of two digests are paired: pieces with the same meaning have the same key.
  fileprivate var alignment: HashField {
    guard case .digest(var subject) = field else { return field }
    if subject.isCommonPart || subject.kind == .entity {
      // There is only one such digest in its block.
      subject.property = nil
      subject.kind = subject.isCommonPart ? .attribute : .entity
    }
    subject.owner = ""
    if subject.kind == .relationship { subject.kind = .attribute }
    return .digest(subject)
  }
}
