import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Lessons at the prompt")
struct LessonPlayerTests {
  private static let lesson = """
    # Lists

    What a list is.

    ```strata
    > create lists.sqlite --model sample:Topics/Model1
    > insert lists.sqlite TopicList title='First steps'
    ```

    <!-- ask one: How many lists are there?
      - none  one was inserted
      - one   * one was inserted
    -->

    ```strata
    > count lists.sqlite TopicList
    ```

    <!-- task: Insert a second list.
      check: count lists.sqlite TopicList 2
      check: value lists.sqlite TopicList.title p1 'First steps'  the first list has changed
    -->
    <!-- hint: How was the first one inserted? -->
    ```strata
    > insert lists.sqlite TopicList title=Second
    ```

    Two lists.

    <!-- ask text: Which entity is it?
      - TopicList  * it is
      - ...        look at the command
    -->

    The end.
    """

  /// A folder with the lesson.
  private func folder(_ hidden: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.lesson, to: "lists.md")
    if let hidden { try folder.write(hidden, to: "lists.checks") }
    return folder
  }

  @Test("it stops at each question and task, and moves only on request")
  func playing() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    let begin = session("lesson lists.md")
    #expect(begin.status == .done, "\(begin.diagnostics)")
    #expect(begin.output.contains("What a list is."))
    #expect(begin.output.contains("> insert lists.sqlite TopicList"))
    #expect(begin.output.contains("Question 1/3: How many lists are there?\n  1  none\n  2  one\n"))
    #expect(!begin.output.contains("> count"))
    #expect(session.session.lessonPrompt == "(lists 1/3)")
    #expect(session("lesson next").diagnostics.contains("[lesson.notAnswered]"))

    let wrong = session("answer 1")
    #expect(wrong.status == .no)
    #expect(wrong.output.contains("Not right: one was inserted"))
    #expect(session("answer one").output.contains("Right: one was inserted"))
    #expect(session("answer 7").diagnostics.contains("[lesson.noChoice]"))
    #expect(session("hint").diagnostics.contains("[lesson.noTask]"))
    let task = session("lesson next")
    #expect(task.output.contains("> count lists.sqlite TopicList\n1\n"))
    #expect(task.output.contains("Task 2/3: Insert a second list."))
    #expect(session("answer 1").diagnostics.contains("[lesson.noQuestion]"))

    // Wandering off changes nothing.
    session("loaded")
    session("rows lists.sqlite TopicList")
    #expect(session.session.lessonPrompt == "(lists 2/3)")
    let open = session("task")
    #expect(open.status == .no)
    #expect(open.output.contains("Not yet: 1 object of TopicList\n"))
    #expect(session("lesson next").diagnostics.contains("[lesson.notDone]"))
    #expect(session("hint").output == "Hint 1/1: How was the first one inserted?\n")
    #expect(session("hint").output == "A solution:\n  insert lists.sqlite TopicList title=Second\n")
    #expect(session("hint 1").output == "Hint 1/1: How was the first one inserted?\n")
    #expect(session("hint 3").diagnostics.contains("[lesson.noHint]"))
    session("insert lists.sqlite TopicList title=Mine")
    #expect(session("task").output.contains("Done. "))
    let text = session("lesson next")
    #expect(text.output.contains("Two lists."))
    #expect(!text.output.contains("title=Second"))

    #expect(session("answer list").output.contains("Not right: look at the command"))
    #expect(session("answer topiclist").status == .done)
    #expect(session("answer list").status == .no)
    let end = session("lesson next")
    #expect(!end.output.contains("Right would have been"), "an answer was right")
    #expect(end.output.contains("The end."))
    #expect(
      end.output.contains(
        "End of the lesson: 0 of 2 questions answered right on the first try.\n"))
    #expect(session.session.lessonPrompt == "(lists end)")
    #expect(session("lesson next").diagnostics.contains("[lesson.isOver]"))
    #expect(session("lesson leave").output == "left lists\n")
    #expect(session.session.lessonPrompt == nil)
    #expect(session("task").diagnostics.contains("[lesson.none]"))
  }

  @Test("a lesson in a notebook changes no file, and neither does what is typed in it")
  func privacy() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    session("lesson lists.md")
    session("insert lists.sqlite TopicList title=Mine")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["lists.md"])
    session("lesson leave")
    #expect(session("count lists.sqlite TopicList").status == .failed)
    session("create real.sqlite --model sample:Topics/Model1")
    #expect(FileManager.default.fileExists(atPath: folder.path("real.sqlite")))
  }

  @Test("its commands cannot move it, open files elsewhere for writing, or begin another lesson")
  func commandsOfALesson() throws {
    for command in ["lesson next", "skip", "again", "lesson leave", "lesson lists.md", "answer 1"] {
      let folder = try TemporaryFolder()
      try folder.write(
        "# L\n\n```strata\n> \(command)\n```\n<!-- ask one: X\n - a  * r\n - b  r\n-->\n",
        to: "lists.md")
      let session = TestSession(in: folder)
      let begin = session("lesson lists.md")
      #expect(begin.output.contains("[lesson.inside]"), "\(command): \(begin.output)")
      #expect(session.session.lessonPrompt == "(lists 1/1)")
    }
  }

  @Test("again returns to the beginning of the task; skip solves it")
  func againAndSkip() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    session("lesson lists.md")
    session("answer 2")
    session("lesson next")
    session("delete lists.sqlite TopicList p1")
    session("load sample:Recipes")
    let again = session("again")
    #expect(again.output.contains("Task 2/3"))
    #expect(!again.output.contains("What a list is."))
    #expect(session("count lists.sqlite TopicList").output == "1\n")
    #expect(session("loaded").output.contains("Recipes") == false)
    let skip = session("skip")
    #expect(skip.output.contains("> insert lists.sqlite TopicList title=Second"))
    #expect(skip.output.contains("Question 3/3"))
    #expect(session("count lists.sqlite TopicList").output == "2\n")
    session("skip")
    #expect(session.session.lessonPrompt == "(lists end)")
    #expect(session("again").output.contains("Question 1/3"))
  }

  @Test("the session is saved as a notebook of what was shown, answered and typed, and replays")
  func notebook() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    session("lesson lists.md")
    session("answer 1")
    session("answer 2")
    session("lesson next")
    session("insert lists.sqlite TopicList title=Mine")
    session("lesson next")
    session("skip")
    let save = session("save notes.md")
    #expect(save.status == .done, "\(save.diagnostics)")
    let text = try String(contentsOfFile: folder.path("notes.md"), encoding: .utf8)
    #expect(text.contains("What a list is."))
    #expect(text.contains("**Question:** How many lists are there?"))
    #expect(
      text.contains("**Answer:** 1\n\nNot right: one was inserted\n\n**Answer:** 2\n\nRight: "))
    #expect(text.contains("title=Mine"))
    #expect(!text.contains("title=Second"))
    #expect(
      text.contains(
        "**Task:** Insert a second list.\n\n```strata\n> insert lists.sqlite TopicList title=Mine"))
    #expect(text.contains("**Question:** Which entity is it?\n\nRight would have been: TopicList"))
    #expect(text.contains("\n(skipped)"))
    let replay = TestSession(in: folder)("replay notes.md --complete")
    #expect(replay.status == .done, "\(replay.output)")
  }

  @Test("a passage longer than the screen pauses, and nothing is answered before it is read")
  func pauses() throws {
    let folder = try TemporaryFolder()
    let prose = (1...12).map { "Line \($0)." }.joined(separator: "\n")
    try folder.write(
      "# L\n\n\(prose)\n\n```strata\n> samples\n> loaded\n```\n\n\(prose)\n<!-- ask one: X\n - a  * r\n - b  r\n-->\n\n\(prose)\n\n```strata\n> loaded\n```\n\n\(prose)\n",
      to: "l.md")
    let session = TestSession(in: folder)
    var screens: [String] = []
    session.session.deliver = { screens[screens.count - 1] += $0.output }
    session.session.screenRows = 24
    func type(_ line: String) -> String {
      screens.append("")
      let evaluation = session(line)
      screens[screens.count - 1] += evaluation.output + evaluation.diagnostics
      return screens[screens.count - 1]
    }
    let more = "\nMore: press Enter, or type `lesson next`.\n"
    let first = type("lesson l.md")
    #expect(first.contains("# L") && first.contains("> samples") && first.hasSuffix(more))
    #expect(!first.contains("> loaded"))
    for line in ["answer 1", "task", "hint"] {
      #expect(type(line).contains("[lesson.paused]"), "\(line)")
    }
    let second = type("lesson next")
    #expect(second.contains("> loaded") && second.contains("Question 1/1: X"), "\(second)")
    #expect(type("answer 1").contains("Right: r"))
    let third = type("lesson next")
    #expect(third.contains("Line 12.") && third.hasSuffix(more), "\(third)")
    #expect(type("skip").contains("End of the lesson: 1 of 1 question answered"))
    #expect(type("lesson next").contains("[lesson.isOver]"))
    // Elsewhere than at the prompt, nothing pauses.
    session.session.screenRows = nil
    #expect(type("again").contains("Question 1/1: X"))
  }

  @Test("hidden checks count, and nobody sees them")
  func hiddenChecks() throws {
    let folder = try folder(
      "2: all lists.sqlite TopicList 'title != nil'\n2: count lists.sqlite Topic 1  a topic is missing\n"
    )
    let session = TestSession(in: folder)
    session("lesson lists.md")
    session("skip")
    session("insert lists.sqlite TopicList")
    let task = session("task")
    #expect(
      task.output.contains(
        "Not yet: a condition of the task is not met\nNot yet: a topic is missing\n"))
    #expect(!task.output.contains("title != nil") && !task.output.contains("nil"))
    let json = session("task --json").output
    #expect(!json.contains("nil") && json.contains("a topic is missing"))
    #expect(session("hint 2").output.contains("title=Second"))
  }

  // MARK: The user's folder

  /// A session of a user with a folder for lessons.
  private func learner(_ folder: TemporaryFolder) -> TestSession {
    let session = Session(folder: folder.url.path)
    session.lessons = LessonStorage(folder: folder.path("data/lessons"))
    return TestSession(session)
  }

  /// A learner who has skipped everything in the first lesson.
  private func atTheEnd(_ folder: TemporaryFolder) -> TestSession {
    let session = learner(folder)
    session("lesson versions")
    for _ in 0..<40 where session.session.lessonPrompt != "(versions end)" { session("skip") }
    #expect(session.session.lessonPrompt == "(versions end)")
    return session
  }

  @Test("the progress of a built-in lesson survives the session; its files are real")
  func progress() throws {
    let folder = try TemporaryFolder()
    var first = learner(folder)
    #expect(first("lesson").output.contains("new"))
    let begin = first("lesson versions")
    #expect(begin.status == .done, "\(begin.diagnostics)")
    #expect(
      FileManager.default.fileExists(atPath: folder.path("data/lessons/versions/phone.sqlite")))
    first("answer 1")
    first("lesson next")
    let place = first.session.lessonPrompt
    first("create mine.sqlite --model sample:Topics/Model1")

    first = learner(folder)
    let second = first
    #expect(second("lesson").output.contains("begun 1/"))
    let resumed = second("lesson 1")
    #expect(second.session.lessonPrompt == place)
    #expect(resumed.output.hasPrefix("Files: \(folder.path("data/lessons/versions"))\n"))
    #expect(resumed.output.contains("\nQuestion 2/"), "\(resumed.output)")
    #expect(!resumed.output.contains("Question 1/"))
    #expect(second("loaded").output.contains("Topics"))
    // Nothing of the user's own: the folder is made again.
    #expect(
      !FileManager.default.fileExists(atPath: folder.path("data/lessons/versions/mine.sqlite")))
    let notes = second("save notes.md")
    #expect(notes.status == .done, "\(notes.diagnostics)")
    #expect(
      try String(contentsOfFile: folder.path("data/lessons/versions/notes.md"), encoding: .utf8)
        .contains("**Answer:** 1"))

    #expect(second("lesson forget versions").diagnostics.contains("[lesson.isPlayed]"))
    second("again")
    #expect(FileManager.default.fileExists(atPath: folder.path("data/lessons/versions/notes.md")))
    #expect(!FileManager.default.fileExists(atPath: folder.path("data/lessons/versions-1")))
    second("lesson leave")
    #expect(second.session.folder == folder.url.path)
    #expect(second("lesson forget").diagnostics.contains("[command.usage]"))
    #expect(
      second("lesson forget versions").output
        == "the progress is deleted\nkept, with your texts: versions; --force deletes them too\n")
    #expect(second("lesson").output.contains("begun") == false)
    // A lesson from its beginning does not start with the texts of an earlier time.
    let fresh = second("lesson versions")
    #expect(fresh.output.hasPrefix("Files: \(folder.path("data/lessons/versions"));"))
    #expect(
      fresh.output.contains("; those of the last time: \(folder.path("data/lessons/versions-1"))\n")
    )
    second("lesson leave")
    #expect(FileManager.default.fileExists(atPath: folder.path("data/lessons/versions-1/notes.md")))
    #expect(
      second("lesson forget --all --force").output
        == "deleted: progress.json, versions, versions-1\n")
  }

  @Test("a finished lesson that begins again keeps the files that were made with it")
  func finishedFiles() throws {
    let folder = try TemporaryFolder()
    let session = atTheEnd(folder)
    session("create mine.sqlite --model sample:Topics/Model1")
    session("lesson leave")
    let again = session("lesson versions")
    #expect(again.output.contains("; those of the last time: "), "\(again.output.prefix(200))")
    #expect(
      FileManager.default.fileExists(atPath: folder.path("data/lessons/versions-1/mine.sqlite")))
    #expect(
      !FileManager.default.fileExists(atPath: folder.path("data/lessons/versions/mine.sqlite")))
    session("lesson leave")
    #expect(session("lesson forget versions").status == .done)
    #expect(!FileManager.default.fileExists(atPath: folder.path("data/lessons/versions-1")))
  }

  @Test("a learner who returns continues behind what is done, and with the texts of their own")
  func returning() throws {
    let folder = try TemporaryFolder()
    var session = learner(folder)
    session("lesson versions")
    for _ in 0..<20 where session("task").output.contains("Question") { session("skip") }
    let place = try #require(session.session.lessonPrompt)
    #expect(session("task").output.contains("Task "))
    session("create tablet.sqlite --copy sample:Phone")
    session("migrate tablet.sqlite --to Model2 --strategy lightweight")
    let done = session("task")
    #expect(done.output == "Done. `lesson next` continues.\n", "\(done.output)")
    try folder.write("mine", to: "data/lessons/versions/mine.policy")

    session = learner(folder)
    let resumed = session("lesson versions")
    #expect(session.session.lessonPrompt != place)
    #expect(resumed.output.contains("> count tablet.sqlite Topic"), "\(resumed.output)")
    let kept = folder.path("data/lessons/versions/mine.policy")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "mine")
    session("again")
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "mine")

    // To the end and beyond: the lesson stays done.
    for _ in 0..<20 where session.session.lessonPrompt != "(versions end)" { session("skip") }
    session("again")
    #expect(session.session.lessonPrompt?.hasPrefix("(versions 1/") == true)
    #expect(session("lesson").output.contains("done"))
  }

  @Test("leaving a lesson returns to the session before it")
  func leaving() throws {
    let folder = try TemporaryFolder()
    let session = learner(folder)
    session("create phone.sqlite --copy sample:Phone")
    session("load sample:Recipes")
    session("try Recipes1.Chef.name optional NO")
    session("debug phone.sqlite --to sample:Topics/Model2")
    let place = session.session.stepPrompt
    #expect(place != nil)
    session("lesson versions")
    #expect(session.session.stepPrompt == nil)
    #expect(!session("loaded").output.contains("Recipes"))
    session("lesson hashes")
    session("lesson leave")
    #expect(session.session.stepPrompt == place)
    #expect(session("loaded").output.contains("Recipes"))
    #expect(session("loaded").output.contains("try:Recipes1"))
    session("abandon")
    session("save s.strata")
    let saved = try String(contentsOfFile: folder.path("s.strata"), encoding: .utf8)
    #expect(saved.contains("load sample:Recipes") && !saved.contains("sample:Topics/Model1"))
  }

  @Test("a number out of range is no choice")
  func numbers() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    session("lesson lists.md")
    for number in ["0", "3", "\(Int.min)", "\(Int.max)", "99999999999999999999", "-1"] {
      #expect(session("answer -- \(number)").diagnostics.contains("[lesson.noChoice]"))
    }
    #expect(session("answer 1 2").diagnostics.contains("the question has one right choice"))
  }

  @Test("skip solves a task that is no longer done")
  func skipAfterDone() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    session("lesson lists.md")
    session("skip")
    session("insert lists.sqlite TopicList title=Mine")
    #expect(session("task").status == .done)
    session("again")
    #expect(session("skip").output.contains("> insert lists.sqlite TopicList title=Second"))
    #expect(session("count lists.sqlite TopicList").output == "2\n")
  }

  @Test("if the progress cannot be stored, the lesson continues with a warning")
  func unstorableProgress() throws {
    let folder = try TemporaryFolder()
    let session = learner(folder)
    session("lesson versions")
    try FileManager.default.createDirectory(
      atPath: folder.path("data/lessons/progress.json.d"), withIntermediateDirectories: true)
    try FileManager.default.removeItem(atPath: folder.path("data/lessons/progress.json"))
    try FileManager.default.moveItem(
      atPath: folder.path("data/lessons/progress.json.d"),
      toPath: folder.path("data/lessons/progress.json"))
    let answer = session("answer 3")
    #expect(answer.status == .done && answer.output.contains("Right: "), "\(answer)")
    #expect(answer.diagnostics.contains("the progress of this lesson is not stored"))
    let next = session("lesson next")
    #expect(next.output.contains("Question 2/") && next.diagnostics.isEmpty)
    #expect(next.output.contains("> metadata phone.sqlite"), "its commands run")
  }

  @Test("forgetting lessons deletes nothing else")
  func foreignFiles() throws {
    let folder = try TemporaryFolder()
    let session = learner(folder)
    session("lesson versions")
    session("lesson leave")
    let files = ["README", "mine/lecture.md", "versions-2024/a.md", "versions/notes/my.md"]
    for file in files {
      try FileManager.default.createDirectory(
        atPath: folder.path("data/lessons/" + (file as NSString).deletingLastPathComponent),
        withIntermediateDirectories: true)
      try folder.write("mine", to: "data/lessons/\(file)")
    }
    session("lesson forget --all")
    session("lesson versions")
    session("again")
    session("lesson leave")
    for file in files.dropLast() {
      #expect(FileManager.default.fileExists(atPath: folder.path("data/lessons/\(file)")))
    }
    #expect(
      FileManager.default.fileExists(atPath: folder.path("data/lessons/versions-1/notes/my.md")))
  }

  @Test("checks are not traced, so a hidden one is not shown")
  func hiddenFromTraces() throws {
    let folder = try folder("2: count lists.sqlite Topic 1 --where \"content == 'SECRET'\"\n")
    let session = TestSession(in: folder)
    session("lesson lists.md")
    session("skip")
    session("trace sql 4 --reveal")
    let task = session("task")
    #expect(!task.output.contains("SELECT") && !task.diagnostics.contains("SECRET"))
    #expect(session("rows lists.sqlite TopicList").output.contains("SELECT"))
  }

  @Test("the commands of a lesson in a notebook read only its folder")
  func readableFolder() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("in"), withIntermediateDirectories: true)
    try folder.write("samples\n", to: "out.strata")
    try folder.write(
      "# L\n\n```strata\n> run ../out.strata\n```\n<!-- ask one: X\n - a  * r\n - b  r\n-->\n",
      to: "in/l.md")
    let session = TestSession(in: folder)
    let begin = session("lesson in/l.md")
    #expect(begin.output.contains("error: "), "\(begin.output)")
    #expect(session("run ../out.strata").status == .done)
  }

  @Test("a lesson is played by one program at a time")
  func otherProgram() throws {
    let folder = try TemporaryFolder()
    let first = learner(folder)
    first("lesson versions")
    let second = learner(folder)
    #expect(second("lesson versions").diagnostics.contains("[lesson.isPlayed]"))
    #expect(second("lesson forget versions").diagnostics.contains("[lesson.isPlayed]"))
    #expect(second("lesson forget --all").diagnostics.contains("[lesson.isPlayed]"))
    #expect(first("loaded").output.contains("Topics"))
    #expect(second("lesson hashes").status == .done)
    first("lesson leave")
    #expect(second("lesson versions").status == .done)
  }

  @Test("a lesson whose commands fail in a changed session stops; again restores it")
  func changedSession() throws {
    let folder = try folder()
    let session = TestSession(in: folder)
    session("lesson lists.md")
    session("delete lists.sqlite TopicList p1")
    session("migrate lists.sqlite --to sample:Recipes/Recipes1 --force")
    session("answer 2")
    session("create lists.sqlite --model sample:Recipes/Recipes1 --force")
    let next = session("lesson next")
    #expect(next.output.contains("The session is not as the lesson expects."), "\(next.output)")
    #expect(!next.output.contains("Task 2/3"))
    let again = session("again")
    #expect(again.output.contains("> count lists.sqlite TopicList\n1\n"), "\(again.output)")
    #expect(again.output.contains("Task 2/3"))
  }

  @Test("a notebook saved outside the folder of its lesson replays and counts as handed in")
  func notebookElsewhere() throws {
    let folder = try TemporaryFolder()
    let session = atTheEnd(folder)
    let save = session("save '\(folder.path("notes.md"))'")
    #expect(save.status == .done && save.diagnostics.isEmpty, "\(save.diagnostics)")
    session("lesson leave")
    let replay = session("replay notes.md --complete")
    #expect(replay.status == .done, "\(replay.output)")
    let check = session("lesson check . --of versions")
    #expect(check.status == .done, "\(check.output)")
  }

  @Test("damaged progress is reported and not replaced")
  func damagedProgress() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("data/lessons"), withIntermediateDirectories: true)
    try folder.write("{\"versions\": 7", to: "data/lessons/progress.json")
    let session = learner(folder)
    #expect(session("lesson").diagnostics.contains("[lesson.damagedProgress]"))
    #expect(session("lesson versions").diagnostics.contains("[lesson.damagedProgress]"))
    #expect(
      try String(contentsOfFile: folder.path("data/lessons/progress.json"), encoding: .utf8)
        == "{\"versions\": 7")
  }

  @Test("progress beyond the end of a lesson, or of a lesson that does not exist, is harmless")
  func foreignProgress() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path("data/lessons"), withIntermediateDirectories: true)
    try folder.write(
      #"{"versions": {"stop": 999, "results": {}}, "gone": {"stop": -3, "results": {"-1": {"answers": [], "isDone": true, "isSkipped": false}}}}"#,
      to: "data/lessons/progress.json")
    let session = learner(folder)
    #expect(session("lesson").output.contains("done"))
    session("lesson versions")
    #expect(session.session.lessonPrompt?.hasPrefix("(versions 1/") == true)
  }

  @Test("in a document, a lesson is private and keeps no progress")
  func inDocuments() throws {
    let folder = try TemporaryFolder()
    try folder.write("lesson versions\nanswer 1\nlesson next\nlesson leave\n", to: "s.strata")
    let session = learner(folder)
    let replay = session("replay s.strata")
    #expect(replay.output.contains("4 not recorded"), "\(replay.output)")
    session("open s.strata")
    #expect(FileManager.default.fileExists(atPath: folder.path("data")) == false)
  }

  @Test("in a replayed document, again makes the files of the lesson anew")
  func againInDocuments() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "create mine.sqlite --model sample:Topics/Model1\nlesson versions\nskip\ncreate mine.sqlite --model sample:Topics/Model1 --force\nagain\ncount phone.sqlite Topic\nlesson leave\ncount mine.sqlite Topic\n",
      to: "s.strata")
    let replay = learner(folder)("replay s.strata --update --all")
    let text = try String(contentsOfFile: folder.path("s.strata"), encoding: .utf8)
    #expect(!text.contains("failed"), "\(text)")
    #expect(text.contains("count phone.sqlite Topic\n#| 9\n"), "\(text) \(replay)")
    #expect(text.contains("count mine.sqlite Topic\n#| 0\n"))
  }
}
