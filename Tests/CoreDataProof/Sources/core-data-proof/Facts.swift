import Foundation

/// What one side says, by name: `A` to a hash, `A/p1.n` to a value. What is missing is nil.
typealias Facts = [String: String]

extension Facts {
  var short: Facts { filter { !$0.key.contains(".") } }

  /// Where the sides disagree. One may know less of a value: `bytes`, or `[b a]` for `{a b}`.
  func differences(from strata: Facts) -> [String] {
    Set(keys).union(strata.keys).sorted().compactMap { key in
      let (mine, other) = (self[key] ?? "nil", strata[key] ?? "nil")
      let sorted = other.dropFirst().dropLast().split(separator: " ").sorted()
      let agree =
        mine == other || mine.hasPrefix(other + " ") || other.hasPrefix(mine + " ")
        || mine == "{\(sorted.joined(separator: " "))}"
      return agree ? nil : "\(key): Core Data \(mine), Strata \(other)"
    }
  }
}

/// Values as text, the same from Core Data and from Strata.
enum Text {
  /// `Entity/p3` of an object's URI.
  static func key(_ uri: String) -> String {
    uri.split(separator: "/").suffix(2).joined(separator: "/")
  }

  static func number(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }

  static func date(_ time: Double) -> String { "date \(number((time * 1000).rounded() / 1000))" }

  static func bytes(_ data: Data) -> String {
    "bytes \(data.count) \(data.reduce(5381 as UInt64) { $0 &* 33 &+ UInt64($1) })"
  }

  /// A date of Strata's as seconds, an object's URI as its key; any other text as it is.
  static func value(_ text: String) -> String {
    if text.hasPrefix("x-coredata://") { return key(text) }
    let form = /(-?\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d(?:\.\d+)?)Z/
    guard let match = text.wholeMatch(of: form),
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
      let hour = Double(match.4), let minute = Double(match.5), let second = Double(match.6)
    else { return text }
    // Days of the Gregorian calendar, counted in years that begin in March.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return date(Double(days - 730_791) * 86400 + hour * 3600 + minute * 60 + second)
  }
}
