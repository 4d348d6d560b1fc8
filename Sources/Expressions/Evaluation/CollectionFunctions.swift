internal import StrataBase

/// Functions of collections: `@sum`, `average:` …
enum CollectionFunctions {
  /// Checks that there is one value of each object: a second to-many relationship gives collections, which key-value
  /// coding neither adds nor compares.
  static func checkValues(
    _ values: [ExpressionValue], _ name: String
  ) throws(ExpressionError) {
    for case .collection in values {
      throw ExpressionError(
        .wrongOperand(operator: name, wanted: "one value of each object", found: "a collection"))
    }
  }

  /// 0 for no elements; nil is ignored.
  static func sum(
    _ values: [ExpressionValue], _ arithmetic: EvaluationContext.Arithmetic, _ name: String
  ) throws(ExpressionError) -> ExpressionValue {
    switch arithmetic {
    case .binary:
      var sum = ExpressionNumber.integer(0)
      for number in values.compactMap(ExpressionNumber.init) {
        sum = try ExpressionNumber.sum(sum, number, name)
      }
      return sum.value
    case .decimal: return .value(try decimalSum(values, name).value)
    }
  }

  /// 0 for no elements; nil counts as zero, as in key-value coding.
  static func average(
    _ values: [ExpressionValue], _ arithmetic: EvaluationContext.Arithmetic, _ name: String
  ) throws(ExpressionError) -> ExpressionValue {
    guard !values.isEmpty else { return .value(.integer(0)) }
    switch arithmetic {
    case .binary:
      let sum = values.compactMap(ExpressionNumber.init).reduce(0) { $0 + $1.real }
      return .value(.real(sum / Double(values.count)))
    case .decimal:
      let count = DecimalNumber(Int64(values.count))
      guard let average = try decimalSum(values, name).divided(by: count) else {
        throw ExpressionError(.decimalOverflow(name))
      }
      return .value(average.value)
    }
  }

  private static func decimalSum(
    _ values: [ExpressionValue], _ name: String
  ) throws(ExpressionError) -> DecimalNumber {
    var sum = DecimalNumber(0 as Int64)
    for number in values.compactMap(ExpressionNumber.init) {
      guard let next = number.decimal.flatMap(sum.adding) else {
        throw ExpressionError(.decimalOverflow(name))
      }
      sum = next
    }
    return sum
  }

  /// The first in order; nil for no elements.
  static func extreme(
    _ values: [ExpressionValue], _ precedes: (ExpressionValue, ExpressionValue) -> Bool?
  ) -> ExpressionValue {
    var best = ExpressionValue.null
    for value in values where !value.isNull {
      if best.isNull || precedes(value, best) == true { best = value }
    }
    return best
  }

  static func median(_ values: [ExpressionValue]) -> ExpressionValue {
    let numbers = reals(values).sorted()
    guard !numbers.isEmpty else { return .null }
    let middle = numbers.count / 2
    return .value(
      .real(
        numbers.count % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2))
  }

  /// The most frequent values, in ascending order.
  static func mode(_ values: [ExpressionValue]) -> ExpressionValue {
    let counts = Dictionary(reals(values).map { ($0, 1) }, uniquingKeysWith: +)
    let most = counts.values.max() ?? 0
    let modes = counts.filter { $0.value == most }.keys.sorted()
    return .collection(modes.map { .value(.real($0)) }, isOrdered: true)
  }

  /// The standard deviation of a population, not of a sample.
  static func standardDeviation(_ values: [ExpressionValue]) -> ExpressionValue {
    let numbers = reals(values)
    guard !numbers.isEmpty else { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let variance = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)
    return .value(.real(variance.squareRoot()))
  }

  private static func reals(_ values: [ExpressionValue]) -> [Double] {
    values.compactMap { ExpressionNumber($0)?.real }
  }
}
