internal import StrataBase
internal import StrataMigration
internal import StrataStepping

extension StepLocation {
  /// The part of a pass, or of a migration in place, to which the next step belongs.
  var segment: String? {
    if let entityMapping { return entityMapping }
    return switch next {
    case .statement: "statements"
    case .stageChange: "stage"
    case .validate: "validate"
    case .endHop: means == .inPlace ? "check" : nil
    default: nil
    }
  }

  /// The next step in a line of a page.
  var placeText: String {
    switch next {
    case .beginEntityMapping(let name, let pass, _): "pass \(pass.rawValue), \(name) begins"
    case .object(let number, let count, let name, let pass, _, _):
      "pass \(pass.rawValue), \(name), object \(number) of \(count)"
    case .endEntityMapping(let name, let pass): "pass \(pass.rawValue), \(name) ends"
    case .statement(let number, let count, _, let purpose):
      "statement \(number) of \(count): \(purpose)"
    case .stageChange(let number, let count, let text): "change \(number) of \(count): \(text)"
    case .validate: "validation"
    case .endHop: "the end of the hop"
    case .frame: "the next part"
    case nil: "the end"
    }
  }
}
