internal import ArgumentParser

/// The JSON shape of a command in `help`, from its definition.
struct CommandPayload: Encodable, Sendable {
  struct Argument: Encodable, Sendable {
    var name: String
    var summary: String
    var required: Bool
    var repeats: Bool
    /// The possible values; `nil` if any value is allowed.
    var values: [String]?
  }

  struct Option: Encodable, Sendable {
    /// The name with its dashes.
    var name: String
    /// The name of the value; `nil` for a flag.
    var value: String?
    var summary: String
    var required: Bool
    var repeats: Bool
    /// The possible values; `nil` if any value is allowed.
    var values: [String]?
  }

  struct Example: Encodable, Sendable {
    var shows: String
    var lines: [String]
  }

  var name: String
  var abstract: String
  var discussion: String
  var usage: String
  var arguments: [Argument]
  var options: [Option]
  var examples: [Example]

  init(_ type: any StrataCommand.Type) {
    name = type._commandName
    abstract = type.configuration.abstract
    discussion = type.configuration.discussion
    let usage = OptionalValues.corrected(usage: Root.usageString(for: type))
    self.usage = String(usage.trimmingPrefix("Usage: ").trimmingPrefix("strata "))
    let shape = CommandShape.named(name)
    arguments = (shape?.arguments ?? []).map { argument in
      Argument(
        name: argument.valueName, summary: argument.summary, required: argument.isRequired,
        repeats: argument.isRepeating, values: argument.values.isEmpty ? nil : argument.values)
    }
    options = (shape?.options ?? []).map { option in
      Option(
        name: option.name, value: option.valueName, summary: option.summary,
        required: option.isRequired, repeats: option.isRepeating,
        values: option.values.isEmpty ? nil : option.values)
    }
    examples = type.examples.map { Example(shows: $0.shows, lines: $0.lines) }
  }
}

/// The JSON shape of `help` without an argument.
struct CommandListPayload: Encodable, Sendable {
  var commands: [CommandPayload]
  /// The topics of `help`.
  var topics: [String]
}
