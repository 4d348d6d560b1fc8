internal import ArgumentParser

/// The JSON shape of a command in `help`, from its definition.
struct CommandPayload: Encodable, Sendable {
  /// An option or an argument.
  struct Parameter: Encodable, Sendable {
    /// The name of an option with its dashes, or that of an argument.
    var name: String
    /// The name of an option's value; `nil` for a flag or an argument.
    var value: String?
    var summary: String
    var required: Bool
    var repeats: Bool
    /// The possible values; `nil` if any value is allowed.
    var values: [String]?

    init(_ parameter: CommandShape.Parameter) {
      (name, value, summary) = (parameter.name, parameter.valueName, parameter.summary)
      (required, repeats) = (parameter.isRequired, parameter.isRepeating)
      values = parameter.values.isEmpty ? nil : parameter.values
    }
  }

  struct Example: Encodable, Sendable {
    var shows: String
    var lines: [String]
  }

  var name: String
  var abstract: String
  var discussion: String
  var usage: String
  var arguments: [Parameter]
  var options: [Parameter]
  var examples: [Example]

  init(_ type: any StrataCommand.Type) {
    name = type._commandName
    abstract = type.configuration.abstract
    discussion = type.configuration.discussion
    let usage = OptionalValues.corrected(usage: Root.usageString(for: type))
    self.usage = String(usage.trimmingPrefix("Usage: ").trimmingPrefix("strata "))
    let shape = CommandShape.named(name)
    arguments = (shape?.arguments ?? []).map(Parameter.init)
    options = (shape?.options ?? []).map(Parameter.init)
    examples = type.examples.map { Example(shows: $0.shows, lines: $0.lines) }
  }
}

/// The JSON shape of `help` without an argument.
struct CommandListPayload: Encodable, Sendable {
  var commands: [CommandPayload]
  /// The topics of `help`.
  var topics: [String]
}
