internal import ArgumentParser
internal import StrataRendering

extension StrataCommand {
  /// The command in `help`, from its definition.
  static var json: JSONValue {
    let usage = OptionalValues.corrected(usage: Root.usageString(for: Self.self))
    let shape = CommandShape.named(_commandName)
    return [
      "name": _commandName, "abstract": configuration.abstract,
      "discussion": configuration.discussion,
      "usage": String(usage.trimmingPrefix("Usage: ").trimmingPrefix("strata ")),
      "arguments": (shape?.arguments ?? []).map(\.json),
      "options": (shape?.options ?? []).map(\.json),
      "examples": examples.json { ["shows": $0.shows, "lines": $0.lines] },
    ]
  }
}

extension CommandShape.Parameter {
  /// A flag and an argument have no name of a value; without possible values, any is allowed.
  fileprivate var json: JSONValue {
    .object(withoutNull: [
      "name": name, "value": valueName, "summary": summary, "required": isRequired,
      "repeats": isRepeating, "values": values.isEmpty ? nil : values,
    ])
  }
}
