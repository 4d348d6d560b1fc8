internal import ArgumentParser
internal import StrataBase

/// When a migration in place first keeps a full copy of the old store: `--keep-old`.
enum KeepOld: String, CaseIterable {
  case always
  /// Where something is lost, or may be.
  case losses
  case never
}

/// What becomes of the old store: options of every command that migrates one.
struct OldStoreOptions: ParsableArguments {
  @Flag(help: "Keep nothing of the old store.") var discardOld = false
  @Option(
    help: ArgumentHelp(
      "In place, when to keep a full copy of the old store: always, losses (by default: where something is lost) or never.",
      valueName: "when"),
    completion: .list(KeepOld.allCases.map(\.rawValue)), transform: Self.keepOld)
  var keepOld: KeepOld?

  mutating func validate() throws {
    guard !discardOld || keepOld == nil || keepOld == .never else {
      throw ValidationError("--discard-old keeps nothing of the old store: leave --keep-old out")
    }
  }

  private static func keepOld(_ text: String) throws -> KeepOld {
    guard let keepOld = KeepOld(rawValue: text) else {
      throw ValidationError(
        "--keep-old takes one of \(Words.list(KeepOld.allCases.map(\.rawValue)))")
    }
    return keepOld
  }

  /// What is done in place.
  var inPlace: KeepOld { keepOld ?? (discardOld ? .never : .losses) }
}
