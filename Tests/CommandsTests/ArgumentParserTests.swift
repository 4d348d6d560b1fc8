import ArgumentParser
import Foundation
import Testing

/// What Strata relies on beyond ArgumentParser's documentation: a new version that words or encodes these
/// differently changes Strata's answers.
@Suite("ArgumentParser's messages and description")
struct ArgumentParserTests {
  private enum Color: String, CaseIterable, ExpressibleByArgument {
    case never, always
  }

  private struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows a store.")

    @Argument(help: ArgumentHelp("A store.", valueName: "store")) var store: String
    @Argument(help: "Entities.") var entities: [String] = []
    @Option(help: "When to use colors.") var color: Color?
    @Flag(help: .hidden) var secret = false
  }

  private struct Tool: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tool", version: "1.0", subcommands: [Show.self])
  }

  @Test(
    "the first line is the error, and a later one the usage",
    arguments: [
      (["show", "a", "--colour", "never"], "Error: Unknown option '--colour'"),
      (["show"], "Error: Missing expected argument '<store>'"),
      (["show", "a", "--color"], "Error: Missing value for '--color <color>'"),
      (
        ["show", "a", "--color", "red"],
        "Error: The value 'red' is invalid for '--color <color>'. Please provide one of 'never' and 'always'."
      ),
    ])
  func usage(_ arguments: [String], _ expected: String) throws {
    do {
      _ = try Tool.parseAsRoot(arguments)
      Issue.record("\(arguments) is accepted")
    } catch {
      let lines = Tool.fullMessage(for: error, columns: 80).split(separator: "\n")
      #expect(try #require(lines.first).hasPrefix(expected))
      #expect(lines.contains { $0.hasPrefix("Usage: tool show ") })
      #expect(Tool.exitCode(for: error).rawValue == 64)
    }
  }

  @Test("a command below another one has no option for completion scripts")
  func belowAnother() {
    struct Alone: ParsableCommand {}
    struct Below: ParsableCommand {
      static let configuration = CommandConfiguration(_superCommandName: "tool")
    }
    for (type, hasOption) in [(Alone.self as any ParsableCommand.Type, true), (Below.self, false)] {
      let error = #expect(throws: (any Error).self) {
        _ = try type.parseAsRoot(["--generate-completion-script", "zsh"])
      }
      #expect(error.map { type.exitCode(for: $0) == .success } == hasOption)
    }
  }

  @Test("one unexpected argument is named, several are counted")
  func unexpectedArguments() throws {
    struct Quit: ParsableCommand {}
    for (arguments, expected) in [
      (["a"], "Error: Unexpected argument 'a'"),
      (["a", "b"], "Error: 2 unexpected arguments: 'a', 'b'"),
    ] {
      do {
        _ = try Quit.parseAsRoot(arguments)
        Issue.record("\(arguments) is accepted")
      } catch {
        #expect(Quit.fullMessage(for: error, columns: 80).hasPrefix(expected))
      }
    }
  }

  @Test(
    "--version is an error with the status of success, --help another command")
  func versionAndHelp() throws {
    let error = #expect(throws: (any Error).self) { try Tool.parseAsRoot(["--version"]) }
    #expect(Tool.exitCode(for: try #require(error)) == .success)
    #expect(!(try Tool.parseAsRoot(["--help"]) is Show))
  }

  @Test("the description of a command has its name and the parts of each argument")
  func dumpedHelp() throws {
    struct Dump: Decodable {
      struct Name: Decodable, Equatable { var kind, name: String }
      struct Argument: Decodable {
        var kind: String
        var valueName: String?
        var abstract: String?
        var preferredName: Name?
        var allValues: [String]?
        var shouldDisplay, isOptional, isRepeating: Bool
      }
      struct Command: Decodable {
        var commandName: String
        var arguments: [Argument]
      }
      var command: Command
    }
    #expect(Show._commandName == "show")
    let dump = try JSONDecoder().decode(Dump.self, from: Data(Show._dumpHelp().utf8)).command
    let named = Dictionary(grouping: dump.arguments) { $0.valueName ?? "" }.compactMapValues(
      \.first)
    #expect(dump.commandName == "show")
    let store = try #require(named["store"])
    #expect(store.kind == "positional" && store.abstract == "A store.")
    #expect(!store.isOptional && !store.isRepeating)
    let entities = try #require(named["entities"])
    #expect(entities.isOptional && entities.isRepeating)
    let color = try #require(named["color"])
    #expect(color.kind == "option" && color.preferredName == .init(kind: "long", name: "color"))
    #expect(color.allValues == ["never", "always"])
    #expect(dump.arguments.contains { $0.preferredName?.name == "secret" && !$0.shouldDisplay })
    #expect(dump.arguments.contains { $0.preferredName?.name == "help" })
  }
}
