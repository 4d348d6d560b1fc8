import Foundation
import StrataBase
import TestSupport
import Testing

@Suite("Decimal numbers")
struct DecimalNumberTests {
  /// Exact decimal arithmetic to 38 digits, halves away from zero, and the range of a Decimal: an integer
  /// of 64 bits or the nearest floating-point number, `-` beyond.
  static let yardstick = """
    import sys
    from decimal import Context, Decimal, ROUND_HALF_UP, localcontext
    context = Context(prec=38, rounding=ROUND_HALF_UP, Emax=10**6, Emin=-10**6)
    whole = Context(prec=200)
    def holds(number):
        if not number.is_finite(): return False
        if number == 0: return True
        number = whole.normalize(number)
        return number.as_tuple().exponent >= -128 and number.adjusted() <= 127 + 37
    def value(text):
        first, *rest = text.split("/")
        number = Decimal(first)
        for other in rest:
            if not holds(number) or not holds(Decimal(other)): return Decimal("NaN")
            number = context.divide(number, Decimal(other))
        return number
    operations = {
        "+": context.add, "-": context.subtract, "*": context.multiply, "/": context.divide,
    }
    for line in sys.stdin:
        operation, a, b = line.split()
        a, b = value(a), value(b)
        if not holds(a) or not holds(b):
            print("-")
            continue
        result = operations[operation](a, b)
        if not holds(result): print("-")
        elif result == result.to_integral_value(context=whole) and -2**63 <= result < 2**63:
            print(f"i {int(result)}")
        else: print(f"r {float(result)!r}")
    """

  static func text(_ value: AttributeValue?) -> String {
    switch value {
    case .integer(let number): "i \(number)"
    case .real(let number): "r \(number.bitPattern)"
    default: "-"
    }
  }

  /// The yardstick's line, with the bits of a floating-point number.
  static func text(_ line: Substring) -> String {
    guard line.hasPrefix("r "), let number = Double(line.dropFirst(2)) else { return String(line) }
    return "r \(number.bitPattern)"
  }

  @Test("results are equal to those of Python's decimal module", arguments: 0..<4)
  func againstPython(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let special: [Double] = [
      0, 1, -1, 0.1, 0.2, 0.3, 3, 7, 9, 1e37, 1e38, 1e-128, 1e127, 9e164, 1e165,
      .leastNonzeroMagnitude, 1e-129,
      .greatestFiniteMagnitude, 9_007_199_254_740_992,
    ]
    func double() -> Double {
      switch Int.random(in: 0...5, using: &random) {
      case 0: Double(Int.random(in: -1000...1000, using: &random))
      case 1: Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 100
      case 2:
        Double.random(in: -1...1, using: &random)
          * pow(10, Double(Int.random(in: -150...175, using: &random)))
      case 3: special.randomElement(using: &random) ?? 0
      default:
        Double.random(in: -1...1, using: &random)
          * pow(10, Double(Int.random(in: -20...20, using: &random)))
      }
    }
    /// A number, or a quotient, which has 38 digits.
    func operand() -> (text: String, number: DecimalNumber?) {
      let first = double()
      let second = double()
      guard second != 0, Bool.random(using: &random) else {
        return ("\(first)", DecimalNumber(first))
      }
      return (
        "\(first)/\(second)",
        DecimalNumber(first).flatMap { first in
          DecimalNumber(second).flatMap { first.divided(by: $0) }
        }
      )
    }
    var lines: [String] = []
    var results: [AttributeValue?] = []
    while lines.count < 5000 {
      let (a, b) = (operand(), operand())
      let symbol = ["+", "-", "*", "/"].randomElement(using: &random) ?? "+"
      if symbol == "/", b.number?.isZero == true { continue }
      lines.append("\(symbol) \(a.text) \(b.text)")
      guard let first = a.number, let second = b.number else {
        results.append(nil)
        continue
      }
      let result =
        switch symbol {
        case "+": first.adding(second)
        case "-": first.subtracting(second)
        case "*": first.multiplied(by: second)
        default: first.divided(by: second)
        }
      results.append(result?.value)
    }
    let answer = try Python.run(
      Self.yardstick, input: lines.joined(separator: "\n") + "\n"
    ).split(separator: "\n")
    #expect(answer.count == lines.count)
    for ((line, result), expected) in zip(zip(lines, results), answer) {
      #expect(Self.text(result) == Self.text(expected), "\(line)")
    }
    #expect(results.contains { $0 == nil })
  }

  @Test("64-bit integers and floating-point numbers in range are exact")
  func values() throws {
    for number in [0, 1, -1, 10, 1000, .max, .min, .max - 7, 1 << 53 + 1] as [Int64] {
      #expect(DecimalNumber(number).value == .integer(number))
    }
    for number in [0.5, -0.1, 1e-5, 1.5e100, 5e-128, 123.456] {
      #expect(DecimalNumber(number)?.value == .real(number))
    }
    #expect(DecimalNumber(3.0)?.value == .integer(3))
    for number in [.infinity, -.infinity, .nan, 1e165, 1e-129] as [Double] {
      #expect(DecimalNumber(number) == nil)
    }
  }

  @Test("products out of range are nil, where Foundation's Decimal traps")
  func range() throws {
    let small = try #require(DecimalNumber(1e-100))
    let large = try #require(DecimalNumber(1e100))
    #expect(small.multiplied(by: small) == nil && large.multiplied(by: large) == nil)
    #expect(small.divided(by: large) == nil && large.divided(by: small) == nil)
    #expect(small.multiplied(by: large)?.value == .integer(1))
    let third = try #require(DecimalNumber(1 as Int64).divided(by: DecimalNumber(3 as Int64)))
    #expect(third.value == .real(1.0 / 3))
    // To 38 digits, the inverse of 0.33333333333333333333333333333333333333 is 3.
    #expect(DecimalNumber(1 as Int64).divided(by: third)?.value == .integer(3))
  }
}
