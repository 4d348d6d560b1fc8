internal import ArgumentParser
internal import StrataBase

/// When a migration in place first keeps a full copy of the old store: `--keep-old`.
enum KeepOld: String, CaseIterable {
  case always
  /// If something is or may be lost.
  case losses
  case never
}

/// The options for keeping the old store, of every command that migrates a store.
struct OldStoreOptions: ParsableArguments {
  @Flag(help: "Do not keep the old store.") var discardOld = false
  @Option(
    help: ArgumentHelp(
      "In place, when to keep a full copy of the old store: always, losses (the default: if something is lost) or never.",
      valueName: "when"),
    completion: .list(KeepOld.allCases.map(\.rawValue)), transform: Self.keepOld)
  var keepOld: KeepOld?

  mutating func validate() throws {
    guard !discardOld || keepOld == nil || keepOld == .never else {
      throw ValidationError("--discard-old does not keep the old store: omit --keep-old")
    }
  }

  private static func keepOld(_ text: String) throws -> KeepOld {
    guard let keepOld = KeepOld(rawValue: text) else {
      throw ValidationError(
        "the values of --keep-old are \(Phrase.list(KeepOld.allCases.map(\.rawValue)))")
    }
    return keepOld
  }

  /// - Parameter newStore: The store of `--output`, which leaves the old one unchanged; `nil` in place.
  func check(newStore: String?) throws(ValidationError) {
    guard newStore != nil, discardOld || keepOld != nil else { return }
    throw ValidationError(
      "with --output the old store is unchanged: omit \(discardOld ? "--discard-old" : "--keep-old")"
    )
  }

  /// The setting for a migration in place.
  var inPlace: KeepOld { keepOld ?? (discardOld ? .never : .losses) }
}
