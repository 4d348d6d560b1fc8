internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSQLite
internal import StrataStore

/// Where the new store is created.
enum MigrationMethod: Equatable {
  /// In a private folder that is deleted. A new store would replace the old one, which would be
  /// kept at this path; `nil` for a migration in place, which keeps the old one if it loses something.
  case rehearsal(aside: String?)
  /// In a private folder that is deleted, as for a new store at this path.
  case rehearsedOutput(String)
  /// In place.
  case inPlace
  /// In a new store that replaces the old one, which is kept at this path.
  case replacement(aside: String?)
  /// In a new store at this path.
  case output(String, replacing: Bool)
  /// In the existing store at this path, which is at the target version and keeps its objects.
  case append(String)

  /// The name of the kept old store, also in a rehearsal.
  var asideName: String? {
    switch self {
    case .replacement(let aside), .rehearsal(let aside):
      aside.map { URL(fileURLWithPath: $0).lastPathComponent }
    case .inPlace, .output, .append, .rehearsedOutput: nil
    }
  }

  var isRehearsal: Bool { if case .rehearsal = self { true } else { false } }
}

extension MigrationJob {
  func method(
    _ plan: MigrationPlan, from source: NamedModel, _ path: String, in session: Session
  ) throws -> MigrationMethod {
    if let newStore, appends {
      return .append(try grown(newStore, to: plan.hops.last?.to, from: path, in: session))
    }
    if let newStore, dryRun {
      return .rehearsedOutput(try rehearsedTarget(newStore, from: path, in: session))
    }
    if let newStore {
      return .output(try target(newStore, from: path, in: session), replacing: force)
    }
    let form = StoreForm(of: path)
    // A document is always written completely.
    let isReplaced = form == .xml || form == .sqlite && !plan.isInPlace
    let keepsOld = isReplaced && !oldStore.discardOld
    if dryRun {
      return .rehearsal(
        aside: keepsOld ? session.asidePath(for: path, at: source.versionName) : nil)
    }
    guard form != .binary else {
      var error = StoreError.binaryReadOnly.diagnostic.located(in: session.shown(path))
      let line = CommandLineLexer.line(
        of: ["migrate", migration.store, "--to", migration.target] + migration.options
          + ["--output", session.newStoreName(beside: path)])
      error.fix = "migrate it into a new store: `\(line)`"
      throw error
    }
    guard isReplaced else { return .inPlace }
    return .replacement(
      aside: try keepsOld ? session.newAsidePath(for: path, at: source.versionName) : nil)
  }

  /// The path of a new store, which must differ from the old one.
  func target(_ newStore: String, from path: String, in session: Session) throws -> String {
    let target = try session.newPath(newStore, as: .store, force: force)
    try session.checkApart(target, newStore, from: path, option: "--output", isStore: true)
    return target
  }

  /// The path of a new store that would be created.
  func rehearsedTarget(
    _ newStore: String, from path: String, in session: Session
  ) throws -> String {
    let target = try target(newStore, from: path, in: session)
    do throws(StoreError) {
      try NewStoreFile(path: target, replacing: force).check()
    } catch {
      throw error.diagnostic.located(in: session.shown(target))
    }
    return target
  }

  /// The store to which the migrated objects are added.
  func grown(
    _ typed: String, to target: NamedModel?, from path: String, in session: Session
  ) throws -> String {
    guard
      try session.wholeFile(typed) != nil || session.loaded.contains(where: { $0.name == typed })
    else {
      throw Diagnostic(
        id: "migration.appendMissing", what: "there is no store \(typed) to append to",
        fix: "omit --append: the first migration creates it")
    }
    let (name, grown) = try session.store(typed)
    try session.checkApart(grown, typed, from: path, option: "--output", isStore: true)
    guard !session.isAtomicStore(grown) else {
      throw Diagnostic(
        id: "migration.appendNeedsSQLite", what: "only a SQLite store can be appended to",
        location: Location(file: typed), fix: "migrate this store into a SQLite store first")
    }
    try session.checkCompanions(ofStoreAt: grown)
    let hashes = try session.open(grown).metadata.versionHashes
    guard let target, hashes == target.model.versionHashes() else {
      throw Diagnostic(
        id: "migration.appendVersion",
        what: "\(name) is not at \(target?.name ?? "the target version"): its hashes differ",
        location: Location(file: typed),
        fix:
          "`identify \(CommandLineLexer.quoted(typed))` shows its version; migrate it to the same target first"
      )
    }
    return try session.writable(grown)
  }

  /// The keeper of the old store for a migration in place; `nil` for any other, which does not change the old store.
  func keeper(
    _ plan: MigrationPlan, _ path: String, _ method: MigrationMethod, in session: Session
  ) -> OldStoreKeeper? {
    guard method == .inPlace || method.isRehearsal && plan.isInPlace
    else { return nil }
    let isRehearsal = method.isRehearsal
    return OldStoreKeeper(oldStore.inPlace, isRehearsal: isRehearsal, session.diskSpace) {
      version in
      isRehearsal
        ? session.asidePath(for: path, at: version)
        : try session.newAsidePath(for: path, at: version)
    }
  }
}

extension Session {
  /// Throws if the new file is the store being migrated or one of its companions.
  ///
  /// - Parameter isStore: Whether the new file is a store, with its own companions.
  func checkApart(
    _ target: String, _ typed: String, from path: String, option: String, isStore: Bool
  ) throws {
    let (new, old) = (RealPath.resolving(target), RealPath.resolving(path))
    let what: String
    if new == old {
      what = "this is the store being migrated"
    } else if StoreFile.companions(of: old).contains(new) {
      what = "this belongs to the store being migrated"
    } else if isStore, let shared = StoreFile.companions(of: old).last,
      shared == StoreFile.companions(of: new).last,
      FileStatus(shared) != nil
    {
      what =
        "it would share the folder \(URL(fileURLWithPath: shared).lastPathComponent) with the store being migrated"
    } else {
      return
    }
    throw Diagnostic(
      id: "migration.sameStore", what: what, location: Location(file: typed),
      fix: "choose another name for \(option)")
  }
}

extension Session {
  /// The path for the old store when a new store replaces it: beside it.
  fileprivate func newAsidePath(for path: String, at version: String) throws -> String {
    let known = asidePath(for: path, at: version)
    let aside = try newPath(known, as: .store)
    return try overlay?.path(forNew: known, beside: writable(path)) ?? aside
  }

  /// The first such path that is not in use.
  fileprivate func asidePath(for path: String, at version: String) -> String {
    let known = overlay?.original(path) ?? path
    let store = URL(fileURLWithPath: RealPath.resolving(known))
    let folder = store.deletingLastPathComponent().path
    // A cached model has no name.
    let version = version == StoreModel.ownName ? StoreReplacement.unnamedVersion : version
    let name = StoreReplacement.asideName(for: store.lastPathComponent, version: version) {
      isThere("\(folder)/\($0)") || isThere("\(folder)/.\($0)_SUPPORT")
    }
    return "\(folder)/\(name)"
  }
}
