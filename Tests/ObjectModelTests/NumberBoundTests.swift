import StrataBase
import StrataObjectModel
import Testing

@Suite("Bounds of numbers")
struct NumberBoundTests {
  /// Numbers as texts, in ascending order, around those that a Double has not.
  private static let ascending = [
    "-1e300", "-9223372036854775808", "-9007199254740993", "-9007199254740992", "-1", "-0.5", "0",
    "0.5", "1", "9007199254740991", "9007199254740992", "9007199254740993", "9223372036854775806",
    "9223372036854775807", "9223372036854775808", "1e300",
  ]

  @Test(
    "a value is within a bound exactly if it is not beyond it, whatever kinds of number both are")
  func order() throws {
    for (place, text) in Self.ascending.enumerated() {
      for (other, number) in Self.ascending.enumerated() {
        let value =
          try Int64(number).map { AttributeValue.integer($0) } ?? .real(#require(Double(number)))
        let type: AttributeType = Int64(number) == nil ? .double : .integer64
        for (key, isValid) in [
          ("minValueString", other >= place), ("maxValueString", other <= place),
        ] {
          var attribute = Attribute(name: "n", type: type)
          attribute.extras.attributes[key] = text
          #expect(
            (AttributeValidator(attribute).problem(of: value) == nil) == isValid,
            "\(number) \(key) \(text)")
        }
      }
    }
  }

  @Test("the text of a bound is that number, also in messages")
  func texts() throws {
    for text in Self.ascending where Int64(text) != nil {
      #expect(NumberBound(text)?.text == text)
    }
    for text in ["nan", "inf", "", "x"] { #expect(NumberBound(text) == nil, "\(text)") }
    var attribute = Attribute(name: "n", type: .integer64)
    attribute.extras.attributes["minValueString"] = "9007199254740993"
    let problem = AttributeValidator(attribute).problem(of: .integer(5))
    #expect(problem?.reason == "is smaller than 9007199254740993")
  }
}
