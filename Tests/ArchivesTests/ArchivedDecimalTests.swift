import StrataArchives
import StrataBase
import TestSupport
import Testing

@Suite("Archived decimals")
struct ArchivedDecimalTests {
  @Test(
    "the digits are kept, also zeros behind the point",
    arguments: [
      "0", "0.0", "0.00", "5", "-5", "12.34", "-12.50", "0.001", "-0.001", "65535", "65536",
      "4294967296.1", "12345678901234567890123456789012345678",
      "-0.12345678901234567890123456789012345678",
    ])
  func text(digits: String) throws {
    let decimal = try #require(ArchivedDecimal(digits))
    #expect(decimal.text == digits)
    var writer = KeyedArchiveWriter()
    let reference = writer.add("NSDecimalNumberPlaceholder", decimal.archived)
    let bytes = writer.encoded(root: reference)
    let read = try KeyedArchive(reading: bytes).root("root")
    #expect(read.isDecimal)
    #expect(try read.decimalText() == digits)
  }

  @Test(
    "what is no plain number is refused",
    arguments: [
      "", "-", ".", "1e3", "nan", "1.2.3", "+1", " 1", "0." + String(repeating: "0", count: 128),
    ])
  func refused(text: String) { #expect(ArchivedDecimal(text) == nil) }

  @Test("zero has no sign, and at most 127 digits are behind the point")
  func bounds() {
    #expect(ArchivedDecimal("-0.0")?.text == "0.0")
    let small = "0." + String(repeating: "0", count: 126) + "1"
    #expect(ArchivedDecimal("-" + small)?.text == "-" + small)
  }

  @Test("no digits with a sign are not a number")
  func notANumber() throws {
    for (isNegative, text) in [(false, "0"), (true, nil)] as [(Bool, String?)] {
      var writer = KeyedArchiveWriter()
      let reference = writer.add(
        "NSDecimalNumberPlaceholder",
        [
          "NS.exponent": .integer(0), "NS.length": .integer(0), "NS.compact": .boolean(true),
          "NS.negative": .boolean(isNegative), "NS.mantissa.bo": .integer(1),
          "NS.mantissa": .data(Array(repeating: 0, count: 16)),
        ])
      let read = try KeyedArchive(reading: writer.encoded(root: reference)).root("root")
      #expect(try read.decimalText() == text)
    }
  }
}
