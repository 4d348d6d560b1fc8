import Foundation
import StrataBase
import StrataMigration
import StrataObjectModel
import StrataRendering
import StrataStepping
import StrataStore
import Testing

@testable import StrataCommands

/// Steps whose explanations were compared with the tables, by number.
struct ExplainedSteps {
  private(set) var created = 0
  private(set) var joined = 0
  private(set) var skipped = 0
  private(set) var attributes = 0
  private(set) var links = 0
  private(set) var decisions = 0
  private(set) var statements = 0
  private(set) var validations = 0
  private(set) var isWrong = false

  typealias Part = [String: Any]

  /// Explains and makes every step.
  mutating func walk(_ stepper: Stepper, _ what: String) throws {
    while !stepper.isAtEnd, !isWrong {
      let place = try "\(what) at \(stepper.location)"
      let before = try Tables(stepper)
      let pairs = try Self.pairs(stepper)
      let explanation = try StepExplanation(stepper, store: "s.sqlite")
      let parts = try explanation.parts.map { part in
        let value = try JSONSerialization.jsonObject(with: Data(part.json.line.utf8))
        return try #require(value as? Part)
      }
      let isSame = try Tables(stepper) == before && Self.pairs(stepper) == pairs
      expect(isSame, "explain changed the state: \(place)")
      #expect(!explanation.lines.isEmpty)
      let (hop, pass) = (stepper.position.hop, try stepper.location.pass)
      let stop = stepper.move(.unit(.step, count: 1))
      if case .failed(let diagnostic, _) = stop.reason {
        let said = parts.first { $0.kind == "failure" }?["id"] as? String
        expect(said == diagnostic.id, "\(place): fails with \(diagnostic), but says \(parts)")
        return
      }
      expect(!parts.contains { $0.kind == "failure" }, "\(place): does not fail")
      statements += parts.count { $0.kind == "statement" }
      guard stepper.position.hop == hop, !stepper.isAtEnd else { continue }
      let after = try Tables(stepper)
      if pass == nil {
        compareStatement(parts, stop, place)
      } else {
        comparePairs(parts, pairs, try Self.pairs(stepper), place)
        try compareTables(parts, before, after, stepper, place)
      }
    }
  }

  private mutating func expect(_ isRight: Bool, _ message: @autoclosure () -> String) {
    guard !isRight else { return }
    isWrong = true
    Issue.record("\(message())")
  }

  // MARK: In place

  private mutating func compareStatement(_ parts: [Part], _ stop: StepStop, _ place: String) {
    let ran = stop.events.compactMap { event -> Int? in
      if case .statementRan(_, _, let rows) = event.kind { rows } else { nil }
    }
    let said = parts.filter { $0.kind == "statement" }.map { $0["rows"] as? Int ?? -1 }
    expect(said == Array(ran.prefix(said.count)), "\(place): \(said) rows, and not \(ran)")
  }

  // MARK: Association tables

  private static func pairs(_ stepper: Stepper) throws -> [String: [String]] {
    let tables = try stepper.associations(limit: 1000)
    return Dictionary(
      uniqueKeysWithValues: tables.map { table in
        (table.mapping, table.pairs.map { "\($0.source) \($0.destination)" })
      })
  }

  private mutating func comparePairs(
    _ parts: [Part], _ before: [String: [String]], _ after: [String: [String]], _ place: String
  ) {
    for part in parts where part.kind == "object" {
      let (mapping, source) = (part["mapping"] as? String ?? "", part.reference("source") ?? "")
      let new = after[mapping, default: []].dropFirst(before[mapping, default: []].count)
      switch part["effect"] as? String {
      case "creates", "joins":
        let pair = "\(source) \(part.reference("destination") ?? "")"
        expect(new.contains(pair), "\(place): \(pair) is not in \(mapping): \(new)")
        if part["effect"] as? String == "joins" { joined += 1 }
      case "skips":
        skipped += 1
        expect(new.isEmpty, "\(place): \(source) is not skipped: \(new)")
      case let other: expect(false, "\(place): \(other ?? "nothing")")
      }
    }
    // Each pair of the step is explained.
    let count = parts.count { $0.kind == "object" && $0["effect"] as? String != "skips" }
    // A hop's part that begins has tables of its own.
    guard after.keys == before.keys,
      after.allSatisfy({ $0.value.starts(with: before[$0.key] ?? []) })
    else { return }
    let new = after.values.reduce(0) { $0 + $1.count } - before.values.reduce(0) { $0 + $1.count }
    expect(new == count, "\(place): \(new) new pairs, \(count) are explained")
  }

  // MARK: Tables

  private mutating func compareTables(
    _ parts: [Part], _ before: Tables, _ after: Tables, _ stepper: Stepper, _ place: String
  ) throws {
    let model = stepper.hops[stepper.position.hop].to.model
    let names = Names(model)
    var expected = Set(
      parts.filter { $0.kind == "object" && $0["effect"] as? String == "creates" }
        .compactMap { $0.reference("destination") })
    expected.formUnion(parts.filter { $0.kind == "inserted" }.compactMap { $0.reference("object") })
    created += expected.count
    let rows = after.newRows(since: before)
    expect(
      Set(expected.map(names.row)) == Set(rows.map { "\($0.table) \($0.key)" }),
      "\(place): new rows \(rows.map { "\($0.table) \($0.key)" }), and not \(expected)")
    // The cells that the parts say change, with their new values.
    var cells: [Tables.Cell: String] = [:]
    for part in parts {
      switch part.kind {
      case "attribute":
        let object = part.reference("object") ?? ""
        guard let cell = names.cell(part["name"] as? String ?? "", of: object),
          let found = after[cell]
        else { continue }
        attributes += 1
        let said = Tables.text(ofJSON: part["value"] ?? NSNull(), found)
        expect(said == found.text, "\(place): \(cell) is \(found.text), and not \(said)")
      case "policy":
        decisions += 1
        for value in part["attributes"] as? [Part] ?? [] {
          let object = part.reference("destination") ?? ""
          if let cell = names.cell(value["name"] as? String ?? "", of: object),
            let found = after[cell]
          {
            cells[cell] = Tables.text(ofJSON: value["value"] ?? NSNull(), found)
          }
        }
      case "relationship":
        links += (part["added"] as? [Any] ?? []).count
        names.note(part, on: part.reference("object") ?? "", &cells)
        for change in part["changes"] as? [Part] ?? [] {
          names.note(change, on: change.reference("object") ?? "", &cells)
        }
        expectDestinations(of: part, after, names, place)
      case "validation": compareValidation(part, after, names, place)
      default: break
      }
    }
    for (cell, value) in cells where after[cell]?.text != value {
      expect(false, "\(place): \(cell) is \(after[cell]?.text ?? "missing"), and not \(value)")
    }
    for cell in after.changes(since: before) where cells[cell] == nil && names.isNamed(cell) {
      expect(false, "\(place): \(cell) changes, and nothing says so")
    }
    let said = Set(parts.filter { $0.kind == "relationship" }.flatMap(names.joined))
    let joins = after.newJoins(since: before)
    expect(joins.isSubset(of: said), "\(place): join rows \(joins), and not \(said)")
  }

  /// What the part lists as the relationship's objects, against the column of a to-one relationship.
  private mutating func expectDestinations(
    of part: Part, _ after: Tables, _ names: Names, _ place: String
  ) {
    guard
      let cell = names.cell(
        part["relationship"] as? String ?? "", of: part.reference("object") ?? ""),
      let found = after[cell]
    else { return }
    let said = part.references("destinations").first.flatMap(Names.key) ?? "NULL"
    // A later statement of the same step may set it again.
    expect(
      said == found.text || part["reason"] as? String == "policy",
      "\(place): \(cell) \(found.text), and not \(said)")
  }

  private mutating func compareValidation(
    _ part: Part, _ after: Tables, _ names: Names, _ place: String
  ) {
    guard let entity = part["entity"] as? String, names.isAlone(entity) else { return }
    validations += 1
    let rows = after.rows(of: names.table(of: entity))
    expect(part["objects"] as? Int == rows.count, "\(place): \(rows.count) objects, \(part)")
    for rule in part["rules"] as? [Part] ?? [] where rule["rule"] as? String == "required" {
      let column = Names.column(rule["property"] as? String ?? "")
      guard rows.allSatisfy({ $0[column] != nil }) else { continue }
      let missing = rows.count { $0[column]?.text == "NULL" }
      expect(
        rule["violations"] as? Int == missing, "\(place): \(missing) without \(column), \(rule)")
    }
  }
}

extension [String: Any] {
  var kind: String { self["part"] as? String ?? "" }

  /// `Recipe/p3`, of a reference with its side.
  func reference(_ key: String) -> String? {
    let found = self[key] as? [String: Any]
    return ["source", "destination"].contains(found?["side"] as? String)
      ? found?["object"] as? String : nil
  }

  func references(_ key: String) -> [String] {
    (self[key] as? [[String: Any]] ?? []).compactMap { $0["object"] as? String }
  }
}
