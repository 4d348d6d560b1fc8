import StrataBase
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

/// Types inside composite attributes, over all pairs.
///
/// Source of what is expected: facts on inference, section 5: numbers and Booleans convert into one another,
/// every other type is only copied.
@Suite("Types of composite elements in inference")
struct CompositeTypeTests {
  private static let numbers = [
    "Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean",
  ]
  private static let types =
    numbers + ["String", "Date", "Binary", "UUID", "URI", "Transformable"]

  private static func converts(_ old: String, _ new: String) -> Bool {
    old == new || numbers.contains(old) && numbers.contains(new)
  }

  private static func model(_ composites: String) throws -> ObjectModel {
    try ObjectModel(
      ModelDocument(
        reading: Array(
          """
          <model><entity name="A"><attribute name="c" optional="YES" attributeType="Composite" \
          composite="C"/></entity>\(composites)</model>
          """.utf8)))
  }

  private static func element(_ name: String, _ type: String) -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)"/>"#
  }

  @Test("every pair of types, in a composite and in a nested composite", arguments: [false, true])
  func pairs(isNested: Bool) throws {
    func composite(_ type: String) -> String {
      let inner = Self.element("x", type) + Self.element("y", "String")
      guard isNested else { return #"<composite name="C">\#(inner)</composite>"# }
      return """
        <composite name="C"><attribute name="d" optional="YES" attributeType="Composite" \
        composite="D"/></composite><composite name="D">\(inner)</composite>
        """
    }
    for old in Self.types {
      for new in Self.types {
        let (before, after) = (try Self.model(composite(old)), try Self.model(composite(new)))
        let inference = Inference(from: before, to: after)
        let expected = Self.converts(old, new)
        #expect(inference.isInferable == expected, "\(old) to \(new)")
        #expect(
          inference.obstacles.map(\.location.description)
            == (expected ? [] : [isNested ? "A.c.d.x" : "A.c.x"]),
          "\(old) to \(new)")
        #expect(inference.obstacles.allSatisfy { $0.code == .inferredMappingModel })
        // The verdict alone must be the same.
        switch Inference.Verdict(from: MatchableModel(before), to: MatchableModel(after)) {
        case .compatible: #expect(old == new)
        case .inferable: #expect(old != new && expected)
        case .refused(let obstacles):
          #expect(!expected && obstacles == inference.obstacles)
        }
      }
    }
  }

  @Test("elements are compared by name, in all pairs of two elements")
  func twoElements() throws {
    let types = ["Integer 16", "Double", "String", "Date"]
    func composite(_ x: String, _ y: String, reversed: Bool) -> String {
      let elements = [Self.element("x", x), Self.element("y", y)]
      return
        #"<composite name="C">\#((reversed ? elements.reversed() : elements).joined())</composite>"#
    }
    for x in types {
      for y in types {
        for newX in types {
          for newY in types {
            let inference = Inference(
              from: try Self.model(composite(x, y, reversed: false)),
              to: try Self.model(composite(newX, newY, reversed: true)))
            var expected: [String] = []
            if !Self.converts(x, newX) { expected.append("A.c.x") }
            if !Self.converts(y, newY) { expected.append("A.c.y") }
            #expect(inference.obstacles.map(\.location.description).sorted() == expected)
          }
        }
      }
    }
  }

  @Test("an added or removed element is not an obstacle, regardless of its type", arguments: types)
  func addedAndRemoved(type: String) throws {
    let one = try Self.model(#"<composite name="C">\#(Self.element("x", "String"))</composite>"#)
    let two = try Self.model(
      #"<composite name="C">\#(Self.element("x", "String"))\#(Self.element("y", type))</composite>"#
    )
    #expect(Inference(from: one, to: two).isInferable)
    #expect(Inference(from: two, to: one).isInferable)
  }

  @Test("a composite cannot become another type, nor the reverse", arguments: types)
  func becoming(type: String) throws {
    let composite = try Self.model(
      #"<composite name="C">\#(Self.element("x", "String"))</composite>"#)
    let plain = try ObjectModel(
      ModelDocument(
        reading: Array(
          #"<model><entity name="A">\#(Self.element("c", type))</entity></model>"#.utf8)))
    for inference in [Inference(from: composite, to: plain), Inference(from: plain, to: composite)]
    {
      #expect(inference.obstacles.map(\.location.description) == ["A.c"])
    }
  }
}
