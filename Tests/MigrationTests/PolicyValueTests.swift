import Foundation
import StrataBase
import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataPolicy
import StrataStore
import TestSupport
import Testing

import struct StrataPolicy.EntityMapping

/// Attributes that no mapping fills, and that a policy gives a value in some objects: the others have their
/// default, whichever object came before.
@Suite("Values that a policy sets in some objects")
struct PolicyValueTests {
  private static let count = 400

  /// - Parameter isNew: Whether the attributes are there that the policy fills.
  private static func model(isNew: Bool) throws -> ObjectModel {
    var person = Entity(name: "Person")
    person.attributes = [Attribute(name: "number", type: .integer32)]
    if isNew {
      var data = Attribute(name: "data", type: .binary, isOptional: true)
      data.allowsExternalBinaryStorage = true
      person.attributes += [
        data, Attribute(name: "grade", type: .integer16, defaultValue: "5"),
        Attribute(name: "note", type: .string, isOptional: true),
        Attribute(name: "score", type: .double, isOptional: true, defaultValue: "0.5"),
        Attribute(name: "word", type: .string, isOptional: true, defaultValue: "none"),
      ]
    }
    return try ObjectModel(ModelDocument(entities: [person]))
  }

  private struct Some: EntityMigrationPolicy {
    func createDestinationInstances(
      for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      guard case .integer(let number) = try source.attributeValue("number"),
        let person = try manager.createDestinationInstance(for: source, in: mapping)
      else { return }
      if number % 3 == 0 { try person.set("grade", to: .integer(number % 7)) }
      if number % 5 == 1 { try person.set("note", to: .text("note \(number)")) }
      if number % 7 == 2 { try person.set("data", to: .bytes([UInt8(number % 256)])) }
      // Twice, and to nothing.
      if number % 4 == 0 { try person.set("word", to: .text("word")) }
      if number % 8 == 0 { try person.set("word", to: .null) }
      if number > 380 { try person.set("score", to: .real(Double(number))) }
    }
  }

  /// Reads both stores and says, line by line, which objects are not as the policy's rules have them.
  private static let expectation = """
    import sqlite3, sys
    old, new = (sqlite3.connect(path) for path in sys.argv[1:])
    numbers = sorted(row[0] for row in old.execute("select ZNUMBER from ZPERSON"))
    found = {row[0]: row[1:] for row in new.execute(
        "select ZNUMBER, ZGRADE, ZNOTE, ZDATA, ZWORD, ZSCORE from ZPERSON")}
    if sorted(found) != numbers:
        print("other objects")
    for n in numbers:
        # In front of data that may lie in a file stands a 1 where it does not.
        wanted = (n % 7 if n % 3 == 0 else 5, f"note {n}" if n % 5 == 1 else None,
            bytes([1, n % 256]) if n % 7 == 2 else None,
            None if n % 8 == 0 else "word" if n % 4 == 0 else "none", float(n) if n > 380 else 0.5)
        if found.get(n) != wanted:
            print(n, found.get(n), "and not", wanted)
    """

  @Test(
    "a value set in one object is not carried over to the next",
    arguments: [PassesRun.Executor.objects, .fastest])
  func values(executor: PassesRun.Executor) throws {
    let folder = try TemporaryFolder()
    let (old, new) = (
      NamedModel(name: "old", model: try Self.model(isNew: false)),
      NamedModel(name: "new", model: try Self.model(isNew: true))
    )
    let (path, output) = (folder.path("old.sqlite"), folder.path("new.sqlite"))
    var store = try NewStore(path: path, model: old.model, uuid: "A")
    for number in 0..<Self.count {
      _ = try store.insert("Person", attributes: ["number": .integer(Int64(number))])
    }
    try store.finish()
    let mapping = try MappingScript(
      parsing: """
        PersonToPerson: Person -> Person
          policy Some
        """
    ).mapping(from: MatchableModel(old.model), to: MatchableModel(new.model))
    let hop = MigrationPlan.Hop(
      from: old, to: new, parts: [NamedMappingModel(name: "a", mapping: mapping)],
      reason: "a test")
    _ = try Passes.run(
      hop, from: path, into: output, policies: PolicyRegistry([Some.self]), executor: executor)
    let found = try Python.run(Self.expectation, arguments: [path, output])
    #expect(found == "", "\(found.prefix(600))")
  }
}
