package import StrataExpressions

/// The parsed stages file of a staged migration.
///
/// ```
/// stage custom Model1 -> Model1a
///   will: Topic: set presenterName = "nobody" when presenterName == nil
///   will: run Check.strata
///   did: policy Split on Topic
/// stage lightweight Model1a, Model2
/// ```
///
/// A version is referred to by its name or checksum. A key is a value of the object itself. A line indented
/// further than the one above continues it; `#` after white space begins a comment.
///
/// Source: `Docs/Facts/migration-process.md`, section 4.
package struct StageScript: Sendable, Hashable {
  var stages: [Stage]

  struct Stage: Sendable, Hashable {
    var isCustom: Bool
    /// The version names in the file; those of a custom stage are the old and the new one.
    var versions: [LinePart]
    var will: [Step] = []
    var did: [Step] = []
  }

  enum Step: Sendable, Hashable {
    /// A script of commands, by its path relative to the file.
    case script(String)
    case policy(LinePart, entity: LinePart, step: LinePart)
    case change(StageChange, step: LinePart)
  }

  package init(parsing text: String) throws(LineError) {
    stages = []
    for line in try LineLanguage.stages.lines(of: text) {
      if line.isIndented { try addStep(line) } else { stages.append(try Stage(parsing: line)) }
    }
    guard !stages.isEmpty else {
      throw LineLanguage.stages.error(
        "the file has no stages", fix: "stage lightweight VERSION, VERSION")
    }
  }

  /// The paths of the scripts, as in the file.
  package var scripts: [String] {
    stages.flatMap { $0.will + $0.did }.compactMap { (step: Step) -> String? in
      guard case .script(let path) = step else { return nil }
      return path
    }
  }

  private mutating func addStep(_ line: LinePart) throws(LineError) {
    guard let last = stages.indices.last else {
      throw line.expected("a stage first", fix: "begin with: stage custom VERSION -> VERSION")
    }
    guard stages[last].isCustom else {
      throw line.problem(
        "a lightweight stage has no steps",
        fix: "make it a custom stage: stage custom VERSION -> VERSION")
    }
    var step = line
    if step.take("will:") {
      stages[last].will.append(try Step(parsing: step))
    } else if step.take("did:") {
      stages[last].did.append(try Step(parsing: step))
    } else {
      throw line.expected("will: or did:", fix: "write will: before the migration, did: after it")
    }
  }
}

extension StageScript.Stage {
  fileprivate init(parsing line: LinePart) throws(LineError) {
    if let parts = try line.match("stage lightweight VERSIONS") {
      let versions = parts[0].split(at: ",")
      if let unnamed = versions.first(where: \.isEmpty) {
        throw unnamed.expected("the name of a version")
      }
      self.init(isCustom: false, versions: versions)
    } else if let parts = try line.match("stage custom VERSION -> VERSION") {
      self.init(isCustom: true, versions: parts)
    } else {
      throw line.expected(
        "a stage",
        fix: "stage lightweight VERSION, VERSION or stage custom VERSION -> VERSION")
    }
  }
}

extension StageScript.Step {
  /// Parses the text after `will:` or `did:`.
  fileprivate init(parsing step: LinePart) throws(LineError) {
    if let parts = try step.match("run FILE") {
      self = .script(parts[0].unquotedText)
    } else if let parts = try step.match("policy NAME on ENTITY") {
      self = .policy(parts[0], entity: parts[1], step: step)
    } else if let (entity, statement) = step.parts(at: ":"), !entity.isEmpty, !statement.isEmpty {
      self = .change(try Self.change(of: entity, statement, in: step), step: step)
    } else {
      throw step.expected(
        "a step",
        fix: "run FILE, policy NAME on ENTITY, or ENTITY: set NAME = EXPRESSION when PREDICATE")
    }
  }

  /// `STATEMENT [when PREDICATE]`
  private static func change(
    of entity: LinePart, _ statement: LinePart, in step: LinePart
  ) throws(LineError) -> StageChange {
    var verbs: [PolicyScript.Verb] = []
    var work = statement
    if let (before, condition) = statement.parts(at: " when "), before.text != "skip" {
      verbs.append(.skip(when: .not(try condition.predicate())))
      work = before
    }
    let verb = try PolicyScript.Verb(parsing: work, beginnings: StageChange.verbs)
    if case .skip = verb {
      throw statement.problem(
        "a step of its own has nothing to skip",
        fix:
          "write the opposite condition behind a statement: ENTITY: set NAME = EXPRESSION when PREDICATE"
      )
    }
    verbs.append(verb)
    guard let change = StageChange(entity: entity.unquotedText, verbs: verbs, text: step.text)
    else {
      throw statement.problem(
        "this creates new objects from old ones; a stage only changes existing objects",
        fix: StageChange.verbs)
    }
    return change
  }
}
