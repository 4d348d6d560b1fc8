internal import StrataExpressions

/// What a model does not allow of an object, with Core Data's error code.
///
/// Source: facts on inference, the table of error codes.
public struct ValidationProblem: Sendable, Hashable {
  public enum Problem: Sendable, Hashable {
    /// A required attribute or relationship without a value.
    case missing
    /// A value that its attribute cannot have.
    case wrongType(wanted: String)
    case rule(ValueRule)
    case tooFew(count: Int, minimum: Int)
    case tooMany(count: Int, maximum: Int)
    /// A key of no object.
    case dangling(key: Int64)
    /// The other end of the relationship leads elsewhere.
    case brokenInverse(key: Int64)
    /// The file that holds binary data is missing; its name.
    case lostData(file: String)
    /// Another object has the same values; its key.
    case notUnique(with: Int64)
  }

  public var entity: String
  /// `nil` before the object has one.
  public var key: Int64?
  /// The property, or those of a uniqueness constraint.
  public var property: String
  public var problem: Problem

  public init(entity: String, key: Int64?, property: String, _ problem: Problem) {
    self.entity = entity
    self.key = key
    self.property = property
    self.problem = problem
  }

  public var code: Int {
    switch problem {
    case .missing: 1570
    case .wrongType: 1550
    case .rule(let rule): rule.code
    case .tooFew: 1580
    case .tooMany: 1590
    case .dangling, .brokenInverse: 133000
    // Cocoa's "no such file".
    case .lostData: 4
    case .notUnique: 133021
    }
  }

  /// What is wrong, without the object: `is a required value`.
  public var reason: String {
    switch problem {
    case .missing: "is a required value"
    case .wrongType(let wanted): "is no \(wanted)"
    case .rule(.minimum(let bound)): "is smaller than \(Self.text(bound))"
    case .rule(.maximum(let bound)): "is larger than \(Self.text(bound))"
    case .rule(.earliest(let bound)): "is earlier than \(Self.date(bound))"
    case .rule(.latest(let bound)): "is later than \(Self.date(bound))"
    case .rule(.minimumLength(let bound)): "is shorter than \(bound)"
    case .rule(.maximumLength(let bound)): "is longer than \(bound)"
    case .rule(.pattern(let pattern)): "does not match \(pattern)"
    case .tooFew(let count, let minimum): "has \(count), at least \(minimum) needed"
    case .tooMany(let count, let maximum): "has \(count), at most \(maximum) allowed"
    case .dangling(let key): "leads to p\(key), which is not there"
    case .brokenInverse(let key): "leads to p\(key), which leads elsewhere"
    case .lostData(let file): "is in the external file \(file), which is missing"
    case .notUnique(let key): "is that of p\(key), and must be unique"
    }
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map(String.init) ?? String(number)
  }

  private static func date(_ seconds: Double) -> String {
    TextualValue.text(ofDate: seconds) ?? text(seconds)
  }
}
