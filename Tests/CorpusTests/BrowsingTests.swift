import Foundation
import StrataBase
import StrataExpressions
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

// Foundation has types of these names too.
private typealias Expression = StrataExpressions.Expression
private typealias Predicate = StrataExpressions.Predicate

/// Counts as Python's own SQLite has them, with SQL written here by hand.
private enum PythonCounts {
  private static let program = """
    import json, sqlite3, sys
    stores = {}
    for line in sys.stdin:
        path, sql = json.loads(line)
        if path not in stores:
            stores[path] = sqlite3.connect(path)
        print(stores[path].execute(sql).fetchone()[0])
    """

  static func of(_ queries: [(path: String, sql: String)]) throws -> [Int] {
    let lines = try queries.map {
      String(decoding: try JSONEncoder().encode([$0.path, $0.sql]), as: UTF8.self) + "\n"
    }
    let answer = try Python.run(program, input: lines.joined())
    return answer.split(separator: "\n").compactMap { Int($0) }
  }
}

@Suite("Browsing real stores", .needsCorpus)
struct BrowsingTests {
  @Test("counts are those of Python's sqlite3, by SQL and by evaluation")
  func counts() throws {
    let folder = try TemporaryFolder()
    var queries: [(path: String, sql: String)] = []
    var found: [(count: Int, evaluated: Int, text: String)] = []
    for (number, path) in try Corpus.expectedStores().keys.sorted().enumerated() {
      // Python makes files beside a store that it opens.
      let copy = folder.path("\(number).sqlite")
      for end in ["", "-wal"] where Corpus.exists(path + end) {
        try FileManager.default.copyItem(atPath: Corpus.path(path + end), toPath: copy + end)
      }
      let store = try SQLiteStore(reading: copy)
      guard let model = try store.cachedModel() else { continue }
      let objects = StoreObjects(try StoreReader(SQLiteStore(reading: copy), model: model))
      let layout = StoreLayout(model)
      for entity in model.entities {
        let numbers = Self.family(entity.name, model).compactMap { layout.entityNumbers[$0] }
        guard let table = layout.table(of: entity.name) else { continue }
        let rows = "Z_ENT IN (\(numbers.map(String.init).joined(separator: ",")))"
        for (text, condition) in Self.questions(of: entity, model, layout) {
          let predicate = try model.resolved(Predicate(parsing: text), for: entity.name)
          var query = StoreQuery(entity: entity.name, predicate: predicate)
          let count = try objects.count(query)
          query.evaluatesEverything = true
          found.append((count, try objects.count(query), "\(path) \(entity.name): \(text)"))
          queries.append(
            (copy, "SELECT count(*) FROM \"\(table.name)\" WHERE \(rows) AND (\(condition))"))
        }
      }
    }
    let counts = try PythonCounts.of(queries)
    #expect(counts.count == queries.count && queries.count > 500)
    for (python, ours) in zip(counts, found) {
      #expect(ours.count == python && ours.evaluated == python, "\(ours.text)")
    }
    #expect(counts.contains { $0 > 0 })
  }

  private static func family(_ entity: String, _ model: ObjectModel) -> [String] {
    [entity] + model.subentityNames(of: entity).flatMap { family($0, model) }
  }

  /// Predicates over an entity's own properties, each with the SQL that a person would write.
  private static func questions(
    of entity: Entity, _ model: ObjectModel, _ layout: StoreLayout
  ) -> [(text: String, condition: String)] {
    var questions = [(text: "TRUEPREDICATE", condition: "1")]
    func key(_ name: String) -> String { Expression.keyPath(of: nil, [name]).text }
    for attribute in entity.attributes where !attribute.isTransient && attribute.type != .composite
    {
      guard let column = layout.column(of: attribute.name, declaredBy: entity.name) else {
        continue
      }
      let (key, name) = (key(attribute.name), "\"\(column.name)\"")
      questions.append(("\(key) = nil", "\(name) IS NULL"))
      questions.append(("NOT \(key) = nil", "\(name) IS NOT NULL"))
      if attribute.type.isNumber {
        questions.append(("\(key) > 1", "\(name) > 1"))
        questions.append(("\(key) BETWEEN {0, 1}", "\(name) BETWEEN 0 AND 1"))
        questions.append(("\(key) * 2 != 2", "\(name) * 2 IS NOT 2"))
      } else if attribute.type == .date {
        questions.append(("\(key) >= '2016-01-01'", "\(name) >= 473299200"))
      } else if attribute.type == .string {
        questions.append(("\(key) > 'M'", "\(name) > 'M'"))
        questions.append(("\(key) BEGINSWITH 'A'", "\(name) GLOB 'A*'"))
        questions.append(("\(key) CONTAINS 'e'", "instr(\(name), 'e') > 0"))
        questions.append(("\(key) LIKE '*e?'", "\(name) GLOB '*e?'"))
      }
    }
    for relationship in entity.relationships where !relationship.isTransient {
      let key = key(relationship.name)
      let declared = Declared(property: relationship, declaringEntity: entity.name)
      if let own = layout.table(of: entity.name),
        let (table, other) = layout.ownerColumn(of: declared, in: model)
      {
        let many =
          "(SELECT count(*) FROM \"\(table.name)\" AS n WHERE n.\"\(other.name)\" = \"\(own.name)\".Z_PK)"
        questions.append(("\(key).@count > 1", "\(many) > 1"))
      }
      guard !relationship.isToMany,
        let column = layout.column(of: relationship.name, declaredBy: entity.name)
      else { continue }
      questions.append(("\(key) = nil", "\"\(column.name)\" IS NULL"))
    }
    return questions
  }
}
