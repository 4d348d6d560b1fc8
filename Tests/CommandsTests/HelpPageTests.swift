import ArgumentParser
import Foundation
import StrataBase
import StrataRendering
import TestSupport
import Testing

@testable import StrataCommands

@Suite("help WORD and help --search")
struct HelpPageTests {
  private let session: TestSession

  init() throws { session = TestSession(in: try TemporaryFolder()) }

  @Test("every term has a meaning, in the order of the alphabet, and refers to terms that exist")
  func terms() {
    let names = Glossary.terms.map { $0.name.lowercased() }
    #expect(names.count >= 70)
    #expect(names == names.sorted())
    #expect(Set(names).count == names.count)
    for (word, name) in Glossary.otherWords {
      #expect(!names.contains(word) && Glossary.term(word)?.name == name, "\(word)")
    }
    for term in Glossary.terms {
      #expect(term.meaning.count > 20 && term.meaning.hasSuffix("."), "\(term.name)")
      for other in term.related {
        #expect(Glossary.term(other)?.name == other, "\(term.name) refers to \(other)")
      }
    }
  }

  @Test("help fits on a screen of 80 by 24, and what it says to try next can be run")
  func screen() {
    let states = [
      [], ["load sample:Topics"], ["load sample:Topics", "load sample:Phone --as 'my phone'"],
      ["debug sample:Phone --to sample:Topics/Model2"],
    ]
    for lines in states {
      for line in lines { #expect(session(line).status == .done, "\(line)") }
      session.session.renderer.width = 80
      #expect(
        session("help").output.split(separator: "\n", omittingEmptySubsequences: false).count <= 23)
      session.session.renderer.width = nil
      let steps = session.session.nextSteps
      #expect(steps.count == 3)
      for step in steps where !step.command.contains(where: \.isUppercase) || !lines.isEmpty {
        guard !step.command.hasSuffix("STORE"), !step.command.hasPrefix("lesson") else { continue }
        #expect(session(step.command).status <= .no, "\(step.command)")
      }
    }
  }

  @Test(
    "a term is found in uppercase and lowercase, singular and plural",
    arguments: ["association table", "Association Table", "association tables"])
  func term(word: String) {
    let answer = session("help \(word)")
    #expect(answer.status == .done)
    #expect(answer.output.hasPrefix("association table\n  What the migration manager keeps"))
  }

  @Test("a kind of migration is found with and without the word migration")
  func migrations() {
    for kind in ["lightweight", "staged", "in-place"] {
      let long = session("help \(kind) migration")
      #expect(long.status == .done, "\(long)")
      #expect(long.output == session("help \(kind)").output)
    }
    for word in ["heavyweight migrations", "transformable", "fetched properties"] {
      #expect(session("help '\(word)'").status == .done, "\(word)")
    }
    #expect(session("help version hashes").output == session("help version hash").output)
    #expect(
      session("help NSMigrationManger").diagnostics.contains("did you mean NSMigrationManager?"))
    #expect(session("help 134999").diagnostics.contains("`help --search TEXT` finds pages"))
    #expect(session("help --search ' '").status == .usage)
  }

  @Test("every error that Strata reports by Core Data's code has a page with its name")
  func codes() {
    for error in CoreDataError.allCases {
      let answer = session("help \(error.rawValue)")
      #expect(answer.status == .done, "\(error)")
      #expect(answer.output.hasPrefix("\(error.rawValue)  NS"), "\(answer)")
      #expect(answer.output.contains("fix: "))
    }
    #expect(
      session("help 134100").output.contains("NSPersistentStoreIncompatibleVersionHashError"))
    #expect(session("help NSMigrationError").output.hasPrefix("134110  NSMigrationError"))
  }

  @Test("the codes ascend, and no name stands twice")
  func order() {
    let codes = CoreDataBook.errors.map(\.code)
    #expect(codes == codes.sorted() && Set(codes).count == codes.count)
    #expect(Set(CoreDataBook.errors.map(\.name)).count == codes.count)
    let calls = CoreDataBook.calls.map { $0.name.lowercased() }
    #expect(Set(calls).count == calls.count)
  }

  @Test("commands that a page of Core Data names exist, with these options")
  func commands() throws {
    let fixes = CoreDataBook.errors.flatMap { page in
      page.fix.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
    let commands = CoreDataBook.calls.flatMap { $0.command.components(separatedBy: "; ") }
    for line in fixes + commands {
      let tokens = line.split(separator: " ").map(String.init)
      let type = try #require(CommandTable.named(tokens[0]), "\(line)")
      let help = Root.helpMessage(for: type, columns: 400)
      for option in tokens where option.hasPrefix("--") {
        let name = option.prefix { $0 != "=" }
        #expect(help.contains(name), "\(line)")
      }
    }
  }

  @Test("a call of Core Data is found with and without its arguments")
  func calls() {
    for word in [
      "NSMigrationManager", "nsmigrationmanager", "isConfiguration",
      "'isConfiguration(withName:compatibleWithStoreMetadata:)'",
    ] {
      let answer = session("help \(word)")
      #expect(answer.status == .done && answer.output.contains("in Strata: "), "\(answer)")
    }
  }

  @Test("a search lists pages by their names first, then by their text")
  func search() throws {
    let answer = session("help --search 'association table'")
    #expect(answer.status == .done)
    #expect(answer.output.hasPrefix("association table"))
    #expect(answer.output.contains("\nassociations "))
    let hits = try #require(
      try JSONSerialization.jsonObject(
        with: Data(session("help --search 134110 --json").output.utf8)) as? [[String: String]])
    #expect(hits.contains { $0["page"] == "134110" })
    for hit in hits {
      let page = try #require(hit["page"])
      #expect(session("help \(page.contains(" ") ? page : "'\(page)'")").status == .done, "\(page)")
    }
  }

  @Test("a search without a result says so, with exit status 1")
  func nothingFound() {
    let answer = session("help --search qwertzuiop")
    #expect(answer.status == .no)
    #expect(answer.output == "no page of `help` contains qwertzuiop\n")
  }

  @Test("an unknown word is answered with the nearest name")
  func unknown() {
    let answer = session("help assocation table")
    #expect(answer.status == .usage)
    #expect(answer.diagnostics.contains("did you mean 'association table'?"), "\(answer)")
    #expect(session("help --search x hash").status == .usage)
  }
}
