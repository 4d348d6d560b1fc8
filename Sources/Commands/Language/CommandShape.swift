internal import ArgumentParser
internal import StrataEssentials

/// The options and arguments of a command, from its definition, for completion and the reference pages.
package struct CommandShape: Sendable {
  /// An option or an argument.
  package struct Parameter: Sendable {
    /// The name of an option with its dashes, `--all`, or that of an argument's value.
    package fileprivate(set) var name: String
    package var summary: String
    /// The name of an option's value; `nil` for a flag or an argument.
    package var valueName: String?
    var kind: ArgumentKind?
    package var isRequired: Bool
    package var isRepeating: Bool
    /// What the value may be, where that is one of a few; else none.
    package var values: [String]
    /// What completion suggests where there is no kind.
    var suggestions: [String]

    /// The option in usage texts: `--to <model>`, `--strict[=<what>]`.
    package var usage: String {
      OptionalValues.corrected(usage: name + (valueName.map { " <\($0)>" } ?? ""))
    }
  }

  package private(set) var options: [Parameter] = []
  package private(set) var arguments: [Parameter] = []

  /// The shape of the command with this name.
  package static func named(_ name: String) -> CommandShape? { all[name] }

  /// Each from its own definition: in the root command, ArgumentParser's help replaces ours.
  private static let all: [String: CommandShape] = {
    let decoder = JSONDecoder()
    var shapes: [String: CommandShape] = [:]
    for type in CommandTable.all {
      let declared = DeclaredKinds()
      let text = DeclaredKinds.$current.withValue(declared) { type._dumpHelp() }
      guard let dump = try? decoder.decode(HelpDump.self, from: Data(text.utf8)) else { continue }
      shapes[type._commandName] = CommandShape(dump.command, declared)
    }
    return shapes
  }()

  private init(_ command: HelpDump.Command, _ declared: DeclaredKinds) {
    for argument in command.arguments ?? [] where argument.shouldDisplay {
      let valueName = argument.valueName ?? ""
      let summary = argument.abstract ?? ""
      let kind = declared.kind(abstract: summary, label: valueName)
      let values = argument.allValues ?? []
      let suggestions = values.isEmpty ? argument.completionKind?.list?.values ?? [] : values
      var parameter = Parameter(
        name: valueName, summary: summary,
        valueName: argument.kind == "option" ? valueName : nil, kind: kind,
        isRequired: !argument.isOptional, isRepeating: argument.isRepeating, values: values,
        suggestions: suggestions)
      guard argument.kind != "positional" else {
        arguments.append(parameter)
        continue
      }
      // The options for version and help do not belong to the command itself.
      guard let name = argument.preferredName, name.kind == "long",
        !["version", "help"].contains(name.name)
      else { continue }
      parameter.name = "--" + name.name
      options.append(parameter)
    }
  }
}

/// The used part of ArgumentParser's description of the commands.
private struct HelpDump: Decodable {
  struct Command: Decodable {
    var arguments: [Argument]?
  }

  struct Argument: Decodable {
    var kind: String
    var isOptional: Bool
    var isRepeating: Bool
    var allValues: [String]?
    var shouldDisplay: Bool
    var valueName: String?
    var abstract: String?
    var preferredName: Name?
    var completionKind: Completion?
  }

  struct Completion: Decodable {
    struct List: Decodable {
      var values: [String]
    }

    var list: List?
  }

  struct Name: Decodable {
    var kind: String
    var name: String
  }

  var command: Command
}
