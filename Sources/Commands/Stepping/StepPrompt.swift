internal import StrataBase
internal import StrataStepping

extension Session {
  /// The place in the migration for the prompt: `(1/3 RecipeToCuisine 2/4)`; `nil` outside the stepper.
  package var stepPrompt: String? {
    guard let stepper = stepping?.stepper else { return nil }
    // The prompt has no way to report an error; the next command does.
    return (try? stepper.location.prompt) ?? "(step)"
  }
}

extension StepLocation {
  /// The maximum number of characters of a name.
  private static let nameLimit = 30

  /// With several hops, the hop comes first: `(hop 2/4, 1/3 TopicToTopic)`.
  var prompt: String {
    let hops = hopCount > 1 ? ["hop \(hop)/\(hopCount)"] : []
    return "(\((hops + [place]).joined(separator: ", ")))"
  }

  private var place: String {
    switch next {
    case nil: "complete"
    case .beginEntityMapping(let name, let pass, _): "\(pass.rawValue)/3 \(Self.short(name))"
    case .object(let number, let count, let name, let pass, _, _):
      "\(pass.rawValue)/3 \(Self.short(name)) \(number)/\(count)"
    case .endEntityMapping(let name, let pass): "\(pass.rawValue)/3 \(Self.short(name)) end"
    case .statement(let number, let count, _, _): "statement \(number)/\(count)"
    case .stageChange(let number, let count, _): "change \(number)/\(count)"
    case .validate: "validate"
    case .endHop, .frame: "end"
    }
  }

  /// A name from a file can be long, and contain control characters.
  private static func short(_ name: String) -> String {
    let shown = name.prefix(nameLimit).map { character in
      character.unicodeScalars.contains { $0.properties.generalCategory == .control }
        ? "?" : character
    }
    return String(shown) + (name.count > nameLimit ? "…" : "")
  }
}
