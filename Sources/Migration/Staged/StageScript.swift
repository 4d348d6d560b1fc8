internal import StrataBase
internal import StrataExpressions

/// The stages of a staged migration, as a file gives them.
///
/// ```
/// stage custom Model1 -> Model1a
///   will: Topic: set presenterName = "nobody" when presenterName == nil
///   will: run Check.strata
///   did: policy Split on Topic
/// stage lightweight Model1a, Model2
/// ```
///
/// A version is called by its name or by its checksum. A key stands for a value of the object itself. A line
/// that is moved in further than the one above goes on with it; `#` behind white space begins a comment.
///
/// Source: facts on the migration process, section 4.
public struct StageScript: Sendable, Hashable {
  var stages: [Stage]

  struct Stage: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
      case lightweight([String])
      case custom(from: String, to: String)
    }

    var kind: Kind
    var will: [Step] = []
    var did: [Step] = []
    var line: Int

    var versions: [String] {
      switch kind {
      case .lightweight(let versions): versions
      case .custom(let from, let to): [from, to]
      }
    }
  }

  enum Step: Sendable, Hashable {
    /// A script of commands, by its path from the file.
    case script(String)
    case policy(String, entity: String, line: Int)
    case change(StageChange, line: Int)
  }

  /// - Throws: ``PolicyScriptError`` with its line.
  public init(parsing text: String) throws(PolicyScriptError) {
    stages = []
    guard text.utf8.count <= PolicyScript.sizeLimit else {
      throw Self.problem(1, "the file has more than \(PolicyScript.sizeLimit) bytes")
    }
    for (number, isIndented, line) in PolicyScript.lines(of: text) {
      if isIndented { try addStep(line, number) } else { try addStage(line, number) }
    }
    guard !stages.isEmpty else {
      throw Self.problem(1, "there is no stage", mend: "stage lightweight VERSION, VERSION")
    }
  }

  private static func problem(
    _ line: Int, _ what: String, mend: String? = nil
  ) -> PolicyScriptError {
    PolicyScriptError(.stages, line: line, what: what, mend: mend)
  }

  private mutating func addStage(_ line: String, _ number: Int) throws(PolicyScriptError) {
    func rest(after words: String) -> String? {
      line.hasPrefix(words + " ") ? PolicyText.trimmed(String(line.dropFirst(words.count))) : nil
    }
    if let versions = rest(after: "stage lightweight") {
      let names = PolicyText.split(versions, at: ",")
      guard !names.contains("") else { throw Self.problem(number, "a version has no name") }
      stages.append(Stage(kind: .lightweight(names), line: number))
    } else if let versions = rest(after: "stage custom") {
      guard let (from, to) = PolicyText.firstParts(versions, at: "->"), !from.isEmpty, !to.isEmpty
      else {
        throw Self.problem(
          number, "a custom stage leads from one version to another",
          mend: "stage custom VERSION -> VERSION")
      }
      stages.append(Stage(kind: .custom(from: from, to: to), line: number))
    } else {
      throw Self.problem(
        number, "a stage begins here",
        mend: "stage lightweight VERSION, VERSION or stage custom VERSION -> VERSION")
    }
  }

  private mutating func addStep(_ line: String, _ number: Int) throws(PolicyScriptError) {
    guard let last = stages.indices.last else {
      throw Self.problem(
        number, "this belongs to no stage", mend: "stage custom VERSION -> VERSION")
    }
    guard case .custom = stages[last].kind else {
      throw Self.problem(
        number, "a lightweight stage has no steps of its own",
        mend: "make it a custom stage: stage custom VERSION -> VERSION")
    }
    if let step = Self.rest(of: line, after: "will:") {
      stages[last].will.append(try Self.step(step, number))
    } else if let step = Self.rest(of: line, after: "did:") {
      stages[last].did.append(try Self.step(step, number))
    } else {
      throw Self.problem(
        number, "a step is done before or after the migration", mend: "will: … or did: …")
    }
  }

  private static func rest(of line: String, after words: String) -> String? {
    line.hasPrefix(words) ? PolicyText.trimmed(String(line.dropFirst(words.count))) : nil
  }

  private static func step(_ text: String, _ number: Int) throws(PolicyScriptError) -> Step {
    if let file = rest(of: text, after: "run "), !file.isEmpty { return .script(file) }
    if let policy = rest(of: text, after: "policy ") {
      guard let (name, entity) = PolicyText.firstParts(policy, at: " on "), !name.isEmpty,
        !entity.isEmpty
      else { throw problem(number, "a policy works on an entity", mend: "policy NAME on ENTITY") }
      return .policy(name, entity: entity, line: number)
    }
    guard let (entity, statement) = PolicyText.firstParts(text, at: ":"), !entity.isEmpty,
      !statement.isEmpty
    else {
      throw problem(
        number, "\(text.prefix(30)) is no step of a stage",
        mend: "run FILE, policy NAME on ENTITY, or ENTITY: set NAME = EXPRESSION when PREDICATE")
    }
    return .change(try change(entity, statement, text, number), line: number)
  }

  private static func change(
    _ entity: String, _ statement: String, _ words: String, _ number: Int
  ) throws(PolicyScriptError) -> StageChange {
    var verbs: [PolicyScript.Verb] = []
    var rest = statement
    if let (work, condition) = PolicyText.firstParts(statement, at: " when "), work != "skip" {
      do {
        verbs.append(.skip(when: .not(try Predicate(parsing: condition))))
      } catch {
        throw problem(
          number, "\(condition): \(error.diagnostic.what)", mend: error.diagnostic.mend)
      }
      rest = work
    }
    do {
      var reader = StatementReader(rest, number)
      verbs.append(try reader.verb())
    } catch {
      throw PolicyScriptError(.stages, line: number, what: error.what, mend: error.mend)
    }
    guard let change = StageChange(entity: entity, verbs: verbs, words: words) else {
      throw problem(
        number, "this makes new objects of old ones, and a stage changes those it has",
        mend: "\(StageChange.verbs)")
    }
    return change
  }
}
