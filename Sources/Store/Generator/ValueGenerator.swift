internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel

/// Generates the values of one attribute: first nil and the bounds, then various values.
///
/// The same seed gives the same values; all of them are valid.
struct ValueGenerator {
  private let attribute: Attribute
  private let validator: AttributeValidator
  private let isUnique: Bool
  private var minimum: NumberBound?
  private var maximum: NumberBound?
  private var minimumLength = 0
  private var maximumLength: Int?
  private var pattern: String?

  /// - Parameter isUnique: Whether no two objects may have the same value.
  init(_ attribute: Attribute, isUnique: Bool) {
    self.attribute = attribute
    self.isUnique = isUnique
    validator = AttributeValidator(attribute)
    for rule in attribute.valueRules {
      switch rule {
      case .minimum(let bound), .earliest(let bound): minimum = bound
      case .maximum(let bound), .latest(let bound): maximum = bound
      // A model may require texts larger than memory: they are not generated.
      case .minimumLength(let bound): minimumLength = min(max(bound, 0), Self.longestText)
      case .maximumLength(let bound): maximumLength = min(max(bound, 0), Self.longestText)
      case .pattern(let text): pattern = text
      }
    }
  }

  private static let longestText = 10_000

  /// The value of an object by its number in its entity.
  ///
  /// - Parameter key: The key of the object, from which unique values are derived.
  func value(
    _ number: Int, key: Int64, using random: inout SeededRandom
  ) -> AttributeValue {
    guard !attribute.isDerived else { return .null }
    if isUnique {
      let value = uniqueValue(key, using: &random)
      // Of several objects, all may have none.
      return attribute.isOptional && validator.problem(of: value) != nil ? .null : value
    }
    if attribute.isOptional,
      number == 0 || (number > 2 && Int.random(in: 0..<8, using: &random) == 0)
    {
      return .null
    }
    // An invalid value is generated again; then the default is used, then nil.
    for _ in 0..<20 {
      let value =
        number == 1 || number == 2
        ? bound(isUpper: number == 2, using: &random) : any(using: &random)
      if validator.problem(of: value) == nil { return value }
    }
    for _ in 0..<50 {
      let value = any(using: &random)
      if validator.problem(of: value) == nil { return value }
    }
    let other = attribute.storedDefault
    return validator.problem(of: other) == nil
      ? other : attribute.isOptional ? .null : any(using: &random)
  }

  private func uniqueValue(
    _ key: Int64, using random: inout SeededRandom
  ) -> AttributeValue {
    switch attribute.type {
    case .integer16, .integer32, .integer64:
      guard let high = maximum?.roundedDown else {
        return .integer((minimum?.roundedUp ?? 0).addingReportingOverflow(key).partialValue)
      }
      return .integer(high.subtractingReportingOverflow(key - 1).partialValue)
    case .decimal, .double, .float, .date:
      guard let high = maximum?.real else { return .real((minimum?.real ?? 0) + Double(key)) }
      // Between two bounds, ever nearer to the upper one.
      let number =
        minimum.map { high - (high - $0.real) / Double(key + 1) } ?? high - Double(key)
      return .real(attribute.type == .float ? Double(Float(number)) : number)
    case .string:
      let text = "\(attribute.name) \(key)"
      return .text(fitted(text.utf16.count > maximumLength ?? .max ? "\(key)" : text))
    case .uri: return .text("https://example.org/\(attribute.name)/\(key)")
    case .uuid: return .bytes(random.uuidBytes())
    case .binary: return .bytes(Array("\(attribute.name) \(key)".utf8))
    case .transformable: return Self.archived("\(attribute.name) \(key)")
    case .boolean: return .integer(key - 1)
    case .undefined, .objectID, .composite: return any(using: &random)
    }
  }

  private func bound(isUpper: Bool, using random: inout SeededRandom) -> AttributeValue {
    func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> AttributeValue {
      return .integer(
        (isUpper ? maximum?.roundedDown : minimum?.roundedUp)
          ?? Int64(isUpper ? Number.max : Number.min))
    }
    let limit = isUpper ? maximum?.real : minimum?.real
    switch attribute.type {
    case .integer16: return integer(Int16.self)
    case .integer32: return integer(Int32.self)
    case .integer64: return integer(Int64.self)
    case .boolean: return .integer(isUpper ? 1 : 0)
    case .decimal: return .real(limit ?? (isUpper ? 99_999_999.99 : -0.01))
    case .double: return .real(limit ?? (isUpper ? 1e300 : -1e-300))
    case .float:
      let number = limit ?? Double(isUpper ? Float.greatestFiniteMagnitude : -1.5e-30)
      var nearest = Float(number)
      // A Float within the bound.
      if isUpper, Double(nearest) > number { nearest = nearest.nextDown }
      if !isUpper, Double(nearest) < number { nearest = nearest.nextUp }
      return .real(Double(nearest))
    // The end of the year 4000, and a day in the year 36.
    case .date:
      return .real(limit ?? (isUpper ? 63_113_903_999.5 : -62_000_000_000))
    case .string:
      let length = isUpper ? min(maximumLength ?? 30, 1000) : minimumLength
      return .text(fitted(String(repeating: isUpper ? "ü🎈" : "a", count: length), to: length))
    case .binary:
      return .bytes(isUpper && attribute.allowsExternalBinaryStorage ? bytes(150_000, &random) : [])
    default: return any(using: &random)
    }
  }

  /// Difficult texts: diacritics, other scripts, quotes, line ends.
  private static let words = [
    "Alesha", "Löcher", "e\u{301}te\u{301}", "日本語", "🎈", "O'Hara \"q\"", "<a & b>",
    "tab\tline\nend",
    "שלום", "x", "100 %", "C:\\path", "zebra", "Émile", "ß",
  ]
  /// Texts that match common patterns.
  private static let patterned = [
    "a", "A", "1", "12", "123", "1234", "12345", "123456789", "abc", "ABC", "Abc", "a1", "#00ff00",
    "someone@example.org", "https://example.org/", "2001-01-31", "12:30", "+49 30 123456", "1.5",
    "-1",
    "DE", "en_US", "374C5961-3E41-43E5-915C-383EA914074C",
  ]

  private func any(using random: inout SeededRandom) -> AttributeValue {
    func integer(_ low: Int64, _ high: Int64) -> AttributeValue {
      let bottom = minimum?.roundedUp ?? low
      let top = maximum?.roundedDown ?? max(high, bottom)
      return .integer(bottom <= top ? Int64.random(in: bottom...top, using: &random) : bottom)
    }
    func real(_ low: Double, _ high: Double, digits: Double) -> Double {
      let bottom = minimum?.real ?? (maximum.map { min(low, $0.real - 1000) } ?? low)
      let top = maximum?.real ?? max(high, bottom + 1000)
      // Beyond this, differences and fractions are not representable.
      guard bottom < top, max(abs(bottom), abs(top)) < 1e15 else { return bottom }
      return (Double.random(in: bottom...top, using: &random) * digits).rounded() / digits
    }
    switch attribute.type {
    case .integer16, .integer32, .integer64: return integer(-100, 1000)
    case .boolean: return .integer(Int64.random(in: 0...1, using: &random))
    case .decimal: return .real(real(-1000, 10_000, digits: 100))
    case .double: return .real(real(-1000, 1000, digits: 1_000_000))
    case .float: return .real(Double(Float(real(-1000, 1000, digits: 1000))))
    // Between 2001 and 2033.
    case .date: return .real(real(0, 1e9, digits: 10))
    case .string:
      if pattern != nil { return .text(Self.patterned.randomElement(using: &random) ?? "") }
      let count = Int.random(in: 1...4, using: &random)
      let words = (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }
      return .text(fitted(words.joined(separator: " ")))
    case .uri:
      return .text("https://example.org/\(Int.random(in: 0..<10_000, using: &random))?q=%C3%BC#x")
    case .uuid: return .bytes(random.uuidBytes())
    case .binary: return .bytes(bytes(Int.random(in: 0...40, using: &random), &random))
    case .transformable: return Self.archived(Self.words.randomElement(using: &random) ?? "")
    case .undefined, .objectID, .composite: return .null
    }
  }

  private static func archived(_ text: String) -> AttributeValue {
    var archive = KeyedArchiveWriter()
    let root = archive.string(text)
    return .bytes(archive.encoded(root: root))
  }

  private func bytes(_ count: Int, _ random: inout SeededRandom) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// A text of a length that the model allows, in UTF-16 units.
  private func fitted(_ text: String, to length: Int? = nil) -> String {
    var fitted = text
    let most = length ?? maximumLength ?? .max
    while fitted.utf16.count > most, !fitted.isEmpty { fitted.removeLast() }
    let least = length ?? minimumLength
    if fitted.utf16.count < least {
      fitted += String(repeating: "a", count: least - fitted.utf16.count)
    }
    return fitted
  }
}
