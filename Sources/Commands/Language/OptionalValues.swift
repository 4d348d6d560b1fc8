internal import StrataEssentials
internal import StrataMigration

/// Options with an optional value, which ArgumentParser does not support: `--strict` is short for
/// `--strict=rows,values,links,valid,extras,duplicates`.
///
/// Words are completed before parsing, and usage texts are corrected afterwards.
package enum OptionalValues {
  private static let name = "--strict"

  /// Adds the default value to options without a value.
  static func filled(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, arguments.contains(name), takesValue(of: command) else {
      return arguments
    }
    let value = LossCategory.allCases.map(\.rawValue).joined(separator: ",")
    let options = arguments.prefix { $0 != "--" }
    return options.map { $0 == name ? "\(name)=\(value)" : $0 } + arguments.dropFirst(options.count)
  }

  /// Whether the value of an option is optional; then it must be attached with `=`.
  static func contains(_ option: String) -> Bool { option == name }

  private static func takesValue(of command: String) -> Bool {
    CommandShape.named(command)?.options.contains {
      $0.name == name && $0.valueName != nil
    } == true
  }

  /// A usage text with optional values marked: `--strict[=<what>]`.
  package static func corrected(usage: String) -> String {
    let parts = usage.split(separator: "\(name) <", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { text, rest in
      guard let end = rest.firstIndex(of: ">") else { return "\(text)\(name) <\(rest)" }
      let tail = rest[rest.index(after: end)...]
      // Keeps the alignment of the options column.
      let margin = tail.hasPrefix("    ") ? 2 : 0
      return "\(text)\(name)[=<\(rest[..<end])>]\(tail.dropFirst(margin))"
    }
  }
}
