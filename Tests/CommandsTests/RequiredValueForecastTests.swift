import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// A plan tells whether objects will lack a required value: it agrees with the migration, for each type, default and
/// number.
@Suite("Forecast of required values")
struct RequiredValueForecastTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The XML attributes of `a` in the old model; `nil` if it is new.
    var old: String?
    var new: String
    var value = "nil"

    var testDescription: String { "\(old ?? "none") \(value) -> \(new)" }
  }

  private static let defaults = [
    "", "abc", "5", "0.5", "YES", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
  ]

  /// A new required attribute of each type, without a default, and with texts that are or are not values of the type.
  private static let newAttributes = [
    "Integer 16", "Integer 32", "Integer 64", "Boolean", "Decimal", "Double", "Float", "Date",
    "String", "URI", "UUID", "Binary", "Transformable",
  ].flatMap { type in
    ([nil] + defaults.map(Optional.some)).map { text -> Case in
      let key = type == "Date" ? "defaultDateTimeInterval" : "defaultValueString"
      return Case(new: #"attributeType="\#(type)""# + (text.map { #" \#(key)="\#($0)""# } ?? ""))
    }
  }

  /// A number that fits, or not, into a required attribute, with and without a default.
  private static let numbers = ["", #" optional="YES""#].flatMap { isOptional in
    [
      ("Integer 64", ["5", "70000", "5000000000"]), ("Double", ["0.5", "70000", "1e300"]),
      ("Decimal", ["1", "123456789012"]),
    ].flatMap { type, values in
      values.flatMap { value in
        ["Integer 16", "Integer 32", "Integer 64", "Float", "Boolean"].flatMap { new in
          ["", #" defaultValueString="1""#].map { given in
            Case(
              old: #"attributeType="\#(type)"\#(isOptional)"#,
              new: #"attributeType="\#(new)"\#(given)"#, value: value)
          }
        }
      }
    }
  }

  @Test("plan and migrate agree", arguments: newAttributes + numbers)
  func agreement(tried: Case) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    for (name, attribute) in [("A", tried.old), ("B", tried.new)] {
      try folder.write(
        """
        <model><entity name="P">\(attribute.map { "<attribute name=\"a\" \($0)/>" } ?? "")
        <attribute name="b" optional="YES" attributeType="String"/></entity></model>
        """, to: "\(name).xcdatamodel/contents")
      session("load \(name).xcdatamodel")
    }
    session("create s.sqlite --model A")
    let inserted = session("insert s.sqlite P b=x" + (tried.old == nil ? "" : " a=\(tried.value)"))
    try #require(inserted.status == .done, "\(inserted)")
    let plan = session("plan s.sqlite --to B")
    let migration = session("migrate s.sqlite --to B --output new.sqlite")
    #expect(plan.status == (migration.status == .done ? .done : .no), "\(plan) \(migration)")
    let inPlace = session("migrate s.sqlite --to B")
    #expect(inPlace.status == migration.status, "\(inPlace) \(migration)")
  }
}
