import ArgumentParser
import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// `help --json`: the commands as a program reads them.
@Suite("Help as JSON")
struct HelpPayloadTests {
  private struct Command: Decodable {
    struct Part: Decodable, Equatable {
      var name: String
      var value: String?
      var summary: String
      var required: Bool
      var repeats: Bool
      var values: [String]?
    }

    struct Example: Decodable {
      var shows: String
      var lines: [String]
    }

    var name: String
    var abstract: String
    var discussion: String
    var usage: String
    var arguments: [Part]
    var options: [Part]
    var examples: [Example]
  }

  private struct List: Decodable {
    var commands: [Command]
    var topics: [String]
  }

  private static func decoded<Value: Decodable>(
    _ line: String, as type: Value.Type = Value.self
  ) throws -> Value {
    let answer = TestSession(in: try TemporaryFolder())(line)
    return try JSONDecoder().decode(type, from: Data(answer.output.utf8))
  }

  @Test("the list contains every command, and every topic has a page")
  func list() throws {
    let list = try Self.decoded("help --json", as: List.self)
    #expect(list.commands.map(\.name) == CommandTable.names)
    let session = TestSession(in: try TemporaryFolder())
    for topic in list.topics {
      let page = session("help \(topic) --json")
      #expect(page.status == .done, "\(topic)")
      #expect((try? JSONSerialization.jsonObject(with: Data(page.output.utf8))) != nil, "\(topic)")
    }
  }

  /// The options and arguments in the parser's own words: lines of its help that begin with them.
  private static func terms(_ type: any StrataCommand.Type, _ section: String) -> [String] {
    let text = Root.helpMessage(for: type, columns: 400)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "\(section):" }.dropFirst().prefix { !$0.isEmpty }
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .map { String($0.dropFirst(2).prefix { $0 != " " }) }
      .filter { !["--version", "-h,"].contains($0) }
  }

  @Test("a command has the arguments, options and examples of its parser")
  func commands() throws {
    let list = try Self.decoded("help --json", as: List.self)
    for command in list.commands {
      let type = try #require(CommandTable.named(command.name))
      #expect(command.options.map(\.name) == Self.terms(type, "OPTIONS"), "\(command.name)")
      #expect(
        command.arguments.map { "<\($0.name)>" } == Self.terms(type, "ARGUMENTS"),
        "\(command.name)")
      #expect(command.abstract == type.configuration.abstract)
      #expect(command.examples.map(\.lines) == type.examples.map(\.lines))
      #expect(command.usage.hasPrefix(command.name), "\(command.usage)")
      // Of many options, the line of usage names only those that must be there.
      for option in command.options where !command.usage.contains("[<options>]") {
        let isFlag = option.value == nil
        #expect(command.usage.contains(option.name), "\(command.usage)")
        // A flag takes no value, and whatever is no flag needs one or says that it may be left out.
        let usage = option.name + (isFlag ? "" : "[=<\(option.value ?? "")>]")
        #expect(
          isFlag || command.usage.contains("\(option.name) <") || command.usage.contains(usage),
          "\(command.usage)")
        #expect(option.required == !command.usage.contains("[\(option.name)"), "\(command.usage)")
      }
    }
  }

  @Test("the page of a command equals its entry in the list")
  func alone() throws {
    let rows = try Self.decoded("help rows --json", as: Command.self)
    #expect(rows.arguments.map(\.name) == ["store", "entity"])
    #expect(rows.arguments.allSatisfy { $0.required && !$0.repeats })
    let create = try Self.decoded("help create --json", as: Command.self)
    let type = try #require(create.options.first { $0.name == "--type" })
    #expect(type.values == ["sqlite", "xml"] && type.value == "type")
    #expect(create.options.first { $0.name == "--model" }?.required == false)
    let migrate = try Self.decoded("help migrate --json", as: Command.self)
    #expect(migrate.options.first { $0.name == "--to" }?.required == true)
  }
}
