import Foundation
import StrataBase
import StrataExpressions
import TestSupport
import Testing

// Foundation has a type of this name too.
private typealias Expression = StrataExpressions.Expression

@Suite("Arithmetic of expressions")
struct ArithmeticTests {
  private struct NoPlainValue: Error {
    var text: String
  }

  private static func value(
    _ text: String, _ variables: [String: AttributeValue] = [:],
    _ arithmetic: EvaluationContext.Arithmetic = .binary
  ) throws -> AttributeValue {
    let context = EvaluationContext(
      variables: variables.mapValues { .value($0) }, arithmetic: arithmetic)
    guard case .value(let value) = try context.value(of: Expression(parsing: text)) else {
      throw NoPlainValue(text: text)
    }
    return value
  }

  // MARK: Integers

  /// Around the bounds of 64, 32 and 16 bits and of what a floating-point number holds exactly.
  private static let operands: [Int64] = [
    .min, .min + 1, -(1 << 53) - 1, -(1 << 32), -(1 << 31), -3_037_000_500, -32_768, -10, -3, -2,
    -1,
    0, 1, 2, 3, 5, 10, 62, 63, 64, 32_767, 1 << 31, 3_037_000_499, 3_037_000_500, 1 << 32,
    1 << 53 + 1, .max - 1, .max,
  ]

  @Test(
    "integer arithmetic is exact, and an overflow is an error",
    arguments: [
      ("$a + $b", "a + b", "+"), ("$a - $b", "a - b", "-"), ("$a * $b", "a * b", "*"),
      ("$a / $b", "None if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)", "/"),
      (
        "modulus:by:($a, $b)", "None if b == 0 else abs(a) % abs(b) * (1 if a >= 0 else -1)",
        "modulus:by:"
      ),
      // Powers of more than 64 need not be computed to be too large.
      (
        "$a ** $b",
        "skip if b < 0 else a ** (b if b < 64 or a not in (0, 1, -1) and b < 4096 else"
          + " 64 + b % 2 if abs(a) < 2 else 4096)", "**"
      ),
      ("sum:($a, $b)", "a + b", "sum:"), ("$both.@sum.self", "a + b", "@sum"),
      ("abs:($a)", "abs(a)", "abs:"), ("~$a", "~a", "~"),
    ])
  func integers(text: String, python: String, operation: String) throws {
    let answer = try Python.run(
      """
      import sys
      skip = "skip"
      values = [int(line) for line in sys.stdin]
      for a in values:
          for b in values:
              result = \(python)
              fits = result is None or result == skip or -2**63 <= result < 2**63
              print(result if fits else "overflow")
      """, input: Self.operands.map(String.init).joined(separator: "\n")
    ).split(separator: "\n").map(String.init)
    var expected = answer.makeIterator()
    let expression = try Expression(parsing: text)
    var overflows = 0
    for a in Self.operands {
      for b in Self.operands {
        guard let wanted = expected.next(), wanted != "skip" else { continue }
        let (first, second) = (
          ExpressionValue.value(.integer(a)), ExpressionValue.value(.integer(b))
        )
        let context = EvaluationContext(variables: [
          "a": first, "b": second, "both": .collection([first, second], isOrdered: true),
        ])
        let note = Comment(rawValue: "\(text) of \(a) and \(b): \(wanted)")
        if wanted == "overflow" {
          overflows += 1
          #expect(throws: ExpressionError(.integerOverflow(operation)), note) {
            try context.value(of: expression)
          }
        } else {
          guard case .value(let value) = try context.value(of: expression) else {
            Issue.record(note)
            continue
          }
          #expect(value == (Int64(wanted).map { .integer($0) } ?? .null), note)
        }
      }
    }
    #expect((overflows > 0) == !["modulus:by:", "~"].contains(operation))
  }

  @Test(
    "a number that does not fit in a 64-bit integer is an error",
    arguments: [
      "$a & 1", "1 | $a", "$a ^ 1", "1 << $a", "$a >> 1", "~$a", "$a.integerValue", "$a.intValue",
      "$a.longLongValue", "$a.shortValue",
    ])
  func casts(text: String) throws {
    for number in [.infinity, -.infinity, .nan, 1e19, -1e19, 0x1p63] as [Double] {
      let error = #expect(throws: ExpressionError.self, "\(text) \(number)") {
        try Self.value(text, ["a": .real(number)])
      }
      #expect(error?.diagnostic.id == "expression.integerOverflow")
    }
    let bits = ["$a.intValue": 31, "$a.shortValue": 15][text] ?? 63
    let bound = Double(sign: .plus, exponent: bits, significand: 1)
    for number in [-bound, bound.nextDown.rounded(.down) - 1, 1.9, -1.9, 0] {
      #expect(throws: Never.self) { try Self.value(text, ["a": .real(number)]) }
    }
    #expect(throws: ExpressionError.self) { try Self.value(text, ["a": .real(bound)]) }
  }

  @Test("functions of numbers accept every number without a trap")
  func everyNumber() throws {
    let numbers: [AttributeValue] =
      [.infinity, -.infinity, .nan, 1e308, -1e308, .leastNonzeroMagnitude, 0x1p63, -0x1p63, -0.0]
      .map { .real($0) }
      + [.integer(.min), .integer(.max), .integer(0), .null]
    for function in ExpressionFunction.all where function.argumentCount != 0 {
      for first in numbers {
        for second in numbers {
          for arithmetic in [EvaluationContext.Arithmetic.binary, .decimal] {
            let context = EvaluationContext(arithmetic: arithmetic)
            let arguments = [first, second].prefix(function.argumentCount ?? 2)
            // An error is an answer.
            _ = try? context.value(
              of: .function(function.name, arguments: arguments.map { .constant($0) }))
          }
        }
      }
    }
  }

  @Test(
    "integerValue and doubleValue of a text are the number at its beginning, as C reads it",
    arguments: [
      "9223372036854775807x", "-9223372036854775808", "-", "", "+", "+-5", "--5", "+5", " \n12.9",
      "1e3", "1E+3x", "1e", "1e-", "-2.5e-1", ".5", "5.", ".", "1.2.3", "x1", "٣", "1e400",
    ])
  func textsAsNumbers(text: String) throws {
    let whole = Int64(strtoll(text, nil, 10))
    #expect(try Self.value("$a.integerValue", ["a": .text(text)]) == .integer(whole))
    #expect(try Self.value("$a.longLongValue", ["a": .text(text)]) == .integer(whole))
    if let small = Int32(exactly: whole) {
      #expect(try Self.value("$a.intValue", ["a": .text(text)]) == .integer(Int64(small)))
    }
    #expect(try Self.value("$a.doubleValue", ["a": .text(text)]) == .real(strtod(text, nil)))
    #expect(try Self.value("$a.floatValue", ["a": .text(text)]) == .real(Double(strtof(text, nil))))
  }

  @Test("a text with too large an integer, or without a finite number, is an error")
  func badTexts() throws {
    for text in ["9223372036854775808", "-9223372036854775809", "99999999999999999999"] {
      #expect(throws: ExpressionError(.integerOverflow("integerValue"))) {
        try Self.value("$a.integerValue", ["a": .text(text)])
      }
    }
    for text in ["2147483648", "-2147483649"] {
      #expect(throws: ExpressionError(.integerOverflow("intValue"))) {
        try Self.value("$a.intValue", ["a": .text(text)])
      }
    }
    for text in ["inf", "-infinity", "nan", "1e999"] {
      #expect(throws: ExpressionError.ofValue(.notANumber(text))) {
        try Self.value("CAST($a, 'NSNumber')", ["a": .text(text)])
      }
    }
  }

  @Test("the message names the operation and its position")
  func messages() throws {
    let text = "$a * 2"
    let error = #expect(throws: ExpressionError.self) {
      try Self.value(text, ["a": .integer(.max)])
    }
    #expect(error?.diagnostic.what == "*: the result does not fit in a 64-bit integer")
    #expect(error?.located(in: text).range == 3..<4)
    let other = #expect(throws: ExpressionError.self) {
      try Self.value(text, ["a": .real(1e300)], .decimal)
    }
    #expect(other?.diagnostic.id == "expression.decimalOverflow")
    #expect(other?.diagnostic.what.hasPrefix("*: ") == true)
    #expect(other?.located(in: text).range == 3..<4)
  }

  // MARK: Decimals

  @Test(
    "decimal arithmetic",
    arguments: [
      ("0.1 + 0.2", .real(0.3)), ("0.3 - 0.1", .real(0.2)), ("1.1 * 1.1", .real(1.21)),
      ("0.3 / 0.1", .integer(3)), ("7 / 2", .real(3.5)),
      // 0.99999999999999999999999999999999999999, to which the nearest that a store holds is 1.
      ("1 / 3 * 3", .real(1)),
      ("1 / (1 / 3)", .integer(3)), ("2 / 3", .real(2.0 / 3)), ("1.5 + 1.5", .integer(3)),
      ("9223372036854775807 + 1", .real(0x1p63)), ("9223372036854775807 - 1", .integer(.max - 1)),
      ("9007199254740993 * 1", .integer(9_007_199_254_740_993)),
      // The whole is rounded, not each operation.
      ("9007199254740993 + 0.5 - 9007199254740993", .real(0.5)),
      ("1 / 0", .null), ("0.1 + nil", .null), ("TERNARY(0.1 + 0.2 == 0.3, 1, 0)", .integer(1)),
      ("sum:(0.1, 0.2)", .real(0.3)), ("$list.@sum.self", .real(0.6)),
      ("$list.@avg.self", .real(0.2)), ("average:(0.1, 0.2, 0.3)", .real(0.2)),
      ("average:({})", .integer(0)), ("sum:({})", .integer(0)),
      ("FUNCTION($list, 'valueForKeyPath:', '@sum.self')", .real(0.6)),
      // Other functions compute as ever, with what the decimal operations give.
      ("floor:(2.5 * 1.2)", .integer(3)), ("abs:(0.1 - 0.3)", .real(0.2)),
      ("2 ** 10", .integer(1024)),
    ] as [(String, AttributeValue)])
  func decimals(text: String, expected: AttributeValue) throws {
    let list = ExpressionValue.collection(
      [0.1, 0.2, 0.3].map { .value(.real($0)) }, isOrdered: true)
    let context = EvaluationContext(variables: ["list": list], arithmetic: .decimal)
    guard case .value(let value) = try context.value(of: Expression(parsing: text)) else {
      Issue.record("\(text) is no plain value")
      return
    }
    #expect(value == expected)
  }

  @Test("binary arithmetic is the default")
  func binary() throws {
    #expect(try Self.value("0.1 + 0.2") == .real(0.1 + 0.2))
    #expect(try Self.value("7 / 2") == .integer(3))
    #expect(EvaluationContext().arithmetic == .binary)
  }

  @Test(
    "an overflow of Decimal is an error",
    arguments: [
      "$a + 1", "1 - $a", "$a * 1", "1 / $a", "1 + (2 * $a)", "sum:($a, 1)", "average:($a, 1)",
    ])
  func outOfRange(text: String) throws {
    for number in [.infinity, -.infinity, .nan, 1e200, -1e165, 1e-129] as [Double] {
      let error = #expect(throws: ExpressionError.self, "\(text) \(number)") {
        try Self.value(text, ["a": .real(number)], .decimal)
      }
      #expect(error?.diagnostic.id == "expression.decimalOverflow")
    }
    #expect(throws: ExpressionError(.decimalOverflow("*"))) {
      try Self.value("$a * $a", ["a": .real(1e-100)], .decimal)
    }
    #expect(
      throws: ExpressionError(.wrongOperand(operator: "+", wanted: "a number", found: "text"))
    ) { try Self.value("$a + 1", ["a": .text("1")], .decimal) }
  }

  @Test("arithmetic is detected at any position of an expression")
  func computing() throws {
    for text in [
      "a + 1", "uppercase:(a * 2)", "{1, a - 1}", "a.@sum.b", "SUBQUERY(a, $x, $x.b * 2 == 4)",
      "TERNARY(a / 2 == 1, 1, 0)", "TERNARY(TRUEPREDICATE, a, b + 1)", "average:(a)", "sum:(a)",
      "FUNCTION(a, 'valueForKeyPath:', 'b.@avg.c')",
    ] {
      #expect(try Expression(parsing: text).hasArithmetic, "\(text)")
    }
    for text in ["a", "$source.a.b", "1", "uppercase:(a)", "{1, a}", "a.@max.b", "length:(a)"] {
      #expect(try !Expression(parsing: text).hasArithmetic, "\(text)")
    }
  }
}
