import StrataBase
import StrataNotebook
import Testing

@Suite("Lessons as notebooks")
struct LessonReaderTests {
  private func lesson(_ text: String) throws -> Lesson {
    try Lesson(reading: SessionDocument(reading: text, form: .markdown))
  }

  private static let text = """
    # Versions

    What a store
    remembers.

    ```strata
    > samples
    ```

    <!-- ask one: Does it
      open?
      - yes  look at `compare`
      - no   * the hash differs,
          as `hash` shows
    -->

    ```text
    <!-- task: not a task: a block of text -->
    ```

    <!-- task: Count the topics.
      check: count a.sqlite Topic 3
      check: not valid a.sqlite  the store
        is valid
    -->
    <!-- hint: First. -->

    <!-- hint: Second,
      longer. -->
    ```strata
    > create a.sqlite --model sample:Topics/Model1
    ```
    ```strata
    > loaded
    ```

    The end.
    """

  @Test("questions, tasks, hints and solutions are read; what a block of text holds is prose")
  func parts() throws {
    let lesson = try lesson(Self.text)
    #expect(lesson.title == "Versions")
    #expect(lesson.summary == "What a store remembers.")
    #expect(lesson.stops.count == 2)
    guard case .question(let question) = lesson.parts[lesson.stops[0]] else {
      Issue.record("no question")
      return
    }
    #expect(question.text == "Does it open?")
    #expect(question.line == 10)
    #expect(question.choices.map(\.text) == ["yes", "no"])
    #expect(question.choices.map(\.isRight) == [false, true])
    #expect(question.choices[1].reason == "the hash differs, as `hash` shows")
    let task = try #require(lesson.tasks.first).task
    #expect(task.goal == "Count the topics.")
    #expect(task.checks.map(\.condition) == ["count a.sqlite Topic 3", "not valid a.sqlite"])
    #expect(task.checks.map(\.message) == [nil, "the store is valid"])
    #expect(task.checks.allSatisfy { !$0.isHidden })
    #expect(task.hints == ["First.", "Second, longer."])
    #expect(
      task.solution.map(\.command) == ["create a.sqlite --model sample:Topics/Model1", "loaded"])
  }

  @Test("the commands before a task contain the solutions of the tasks before it")
  func commands() throws {
    let lesson = try lesson(
      """
      # L

      ```strata
      > one
      ```
      <!-- task: T1
        check: valid a -->
      ```strata
      > two
      ```
      Prose.
      ```strata
      > three
      ```
      <!-- task: T2
        check: valid a -->
      ```strata
      > four
      ```
      """)
    #expect(lesson.commands(beforeTask: 0).map(\.command) == ["one"])
    #expect(lesson.commands(beforeTask: 1).map(\.command) == ["one", "two", "three"])
    #expect(lesson.commands(beforeTask: 2).map(\.command) == ["one", "two", "three", "four"])
  }

  @Test("hidden checks are added to their tasks; comments and empty lines are none")
  func hidden() throws {
    let lesson = try lesson(Self.text).adding(
      hiddenChecks:
        "# of the lecturer\n\n2: valid a.sqlite  not yet\n2 keep:count a.sqlite Topic 3\r\n")
    let checks = try #require(lesson.tasks.first).task.checks
    #expect(checks.suffix(2).map(\.condition) == ["valid a.sqlite", "count a.sqlite Topic 3"])
    #expect(checks.map(\.isHidden) == [false, false, true, true])
    #expect(checks.map(\.isKept) == [false, false, false, true])
    #expect(checks[2].message == "not yet" && checks[2].line == 3)
  }

  @Test(
    "a wrong line of hidden checks is named",
    arguments: [
      ("2: valid a\nx", 2), ("1: valid a", 1), ("3: valid a", 1), ("0: valid a", 1),
      ("valid a", 1), ("2 kept: valid a", 1),
    ])
  func wrongHidden(text: String, line: Int) throws {
    let lesson = try lesson(Self.text)
    let error = #expect(throws: LessonError.self) { try lesson.adding(hiddenChecks: text) }
    #expect(error?.line == line)
  }

  @Test(
    "each mistake in a lesson has its own error and line",
    arguments: [
      ("<!-- ask one: X\n  - a  * r\n  - b  r\n-->", "lesson.noTitle", 1),
      ("# L\n\nprose", "lesson.nothingToDo", 1),
      ("# L\n<!-- ask one: X\n  - a  * r", "lesson.unclosedComment", 2),
      (
        "# L\n<!-- task: X\n  check: valid a\n--> more\n-->", "lesson.textAfterComment", 4
      ),
      ("# L\n<!-- hint: X\n```strata\n> load a\n```\n-->", "lesson.blockInComment", 3),
      ("# L\n<!-- strata answers\nabc", "lesson.unclosedComment", 2),
      ("# L\n<!-- aks one: X\n  - a  * r\n  - b  r\n-->", "lesson.unknownWord", 2),
      ("# L\n<!-- tasks: X\n  check: valid a\n-->", "lesson.unknownWord", 2),
      ("# L\n<!-- task: X\n  chek: valid a\n-->", "lesson.unknownWord", 3),
      ("# L\n<!-- task: X\n  check: valid a\n  - kep: valid a\n-->", "lesson.unknownWord", 4),
      ("# L\n<!-- ask some: X\n  - a  * r\n  - b  r\n-->", "lesson.unknownKind", 2),
      ("# L\n<!-- ask one:\n  - a  * r\n  - b  r\n-->", "lesson.emptyText", 2),
      ("# L\n<!-- ask one: X\n  - a  * r\n  - b\n-->", "lesson.noReason", 4),
      ("# L\n<!-- ask one: X\n  - a  * r\n  - a  r\n-->", "lesson.sameChoice", 4),
      ("# L\n<!-- ask one: X\n  - a  * r\n  - b  * r\n-->", "lesson.rightChoices", 2),
      ("# L\n<!-- ask all: X\n  - a  r\n  - b  r\n-->", "lesson.rightChoices", 2),
      ("# L\n<!-- ask text: X\n-->", "lesson.rightChoices", 2),
      ("# L\n<!-- ask one: X\n  - a  * r\n-->", "lesson.onlyOneChoice", 2),
      ("# L\n\n<!-- hint: X -->", "lesson.hintWithoutTask", 3),
      ("# L\n<!-- task: X\n  check: valid a\n-->\nprose", "lesson.noSolution", 2),
      (
        "# L\n<!-- task: X\n  check: valid a\n-->\n```strata fresh\n> samples\n```",
        "lesson.severalSessions", 5
      ),
    ])
  func mistakes(text: String, id: String, line: Int) {
    let error = #expect(throws: LessonError.self) { try lesson(text) }
    #expect(error?.diagnostic.id == id)
    #expect(error?.line == line)
    #expect(error?.diagnostic.fix?.isEmpty == false)
  }

  @Test("any mutation of a lesson is read or refused")
  func mutations() {
    var random = SeededRandom(seed: 29)
    let pieces = [
      "<!-- ", "-->", "ask one:", "- ", "  ", "* ", "check:", "hint:", "task:", "```", "\n",
      "strata", "é",
    ]
    for _ in 0..<600 {
      var bytes = Array(Self.text.utf8)
      for _ in 0..<3 {
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, at + Int.random(in: 0..<12, using: &random))
        bytes.replaceSubrange(at..<end, with: pieces.randomElement(using: &random)?.utf8 ?? "".utf8)
      }
      guard
        let document = try? SessionDocument(
          reading: String(decoding: bytes, as: UTF8.self), form: .markdown)
      else { continue }
      do {
        let lesson = try Lesson(reading: document)
        #expect(!lesson.stops.isEmpty)
      } catch {
        #expect(error is LessonError)
      }
    }
  }
}

@Suite("Answers to questions")
struct QuestionTests {
  private func question(_ kind: String, _ choices: String) throws -> Question {
    let lesson = try Lesson(
      reading: SessionDocument(
        reading: "# L\n<!-- ask \(kind): X\n\(choices)\n-->\n", form: .markdown))
    guard case .question(let question)? = lesson.stops.first.map({ lesson.parts[$0] }) else {
      throw LessonMissing()
    }
    return question
  }

  private struct LessonMissing: Error {}

  @Test("one: a number or the text of a choice; anything else is no answer")
  func one() throws {
    let question = try question("one", "- It `opens`  r1\n- it fails  * r2")
    #expect(question.verdict(on: ["2"])?.isRight == true)
    #expect(question.verdict(on: ["2"])?.choices.map(\.reason) == ["r2"])
    #expect(question.verdict(on: ["It", "fails"])?.isRight == true)
    #expect(question.verdict(on: ["it opens"])?.choices.map(\.reason) == ["r1"])
    for words in [["0"], ["3"], ["1", "2"], ["perhaps"], ["-1"], []] {
      #expect(question.verdict(on: words) == nil, "\(words)")
    }
  }

  @Test("all: every set of choices against the right one")
  func all() throws {
    let question = try question("all", "- a  * ra\n- b  rb\n- c  * rc")
    for named in 1..<8 {
      let numbers = (0..<3).filter { named & (1 << $0) != 0 }
      let verdict = try #require(question.verdict(on: numbers.map { String($0 + 1) }))
      let wrong = numbers.filter { $0 == 1 }
      #expect(verdict.isRight == (named == 0b101))
      #expect(verdict.missing == [0, 2].count { !numbers.contains($0) })
      if !verdict.isRight { #expect(verdict.choices.count == wrong.count) }
    }
    #expect(question.verdict(on: ["c", "A"])?.isRight == true)
    #expect(question.verdict(on: ["4"]) == nil)
  }

  @Test("text: case, spaces and back ticks do not matter; `...` matches any other text")
  func text() throws {
    let strict = try question("text", "- 01 00  * r\n- 00 00  w")
    #expect(strict.verdict(on: ["01", "00"])?.isRight == true)
    #expect(strict.verdict(on: ["00 00"])?.choices.map(\.reason) == ["w"])
    #expect(strict.verdict(on: ["else"])?.isRight == false)
    #expect(strict.verdict(on: ["else"])?.choices.isEmpty == true)
    let open = try question("text", "- Model3  * r\n- ...  look")
    #expect(open.verdict(on: ["`MODEL3`"])?.isRight == true)
    #expect(open.verdict(on: ["what"])?.choices.map(\.reason) == ["look"])
  }
}
