internal import StrataObjectModel

extension Session {
  /// The item that a name stands for.
  enum NameTarget {
    case version(ModelVersion, bundle: ModelBundle?)
    case bundle(ModelBundle)
    case store(String)
    case mapping(MappingFile)
    case trial(ModelDocument)
    case ambiguous([String])

    var form: LoadedItem.Form {
      switch self {
      case .version, .bundle, .trial, .ambiguous: .model
      case .store: .store
      case .mapping: .mapping
      }
    }
  }

  /// The usable names, cached until the location of a file changes.
  struct KnownNames {
    var names: [(name: String, target: NameTarget)]
    var moveCount: Int
  }

  /// All usable names, longest first: loaded names, `Bundle/Version`, and version names that only one loaded
  /// bundle has.
  func namesByLength() -> [(name: String, target: NameTarget)] {
    let moveCount = moveCount
    if let known = knownNames, known.moveCount == moveCount { return known.names }
    let names = allNames()
    knownNames = KnownNames(names: names, moveCount: moveCount)
    return names
  }

  private func allNames() -> [(name: String, target: NameTarget)] {
    var names: [String: NameTarget] = [:]
    var owners: [String: [(ModelVersion, ModelBundle, String)]] = [:]
    for item in loaded {
      guard case .bundle(let bundle) = item.kind else { continue }
      for version in bundle.versions {
        names["\(item.name)/\(version.name)"] = .version(version, bundle: bundle)
        owners[version.name, default: []].append((version, bundle, item.name))
      }
    }
    for (name, found) in owners {
      names[name] =
        found.count == 1
        ? .version(found[0].0, bundle: found[0].1)
        : .ambiguous(found.map { "\($0.2)/\($0.0.name)" })
    }
    for item in loaded {
      switch item.kind {
      // If a version has the name of its bundle, the name means the current version of the bundle.
      case .bundle(let bundle): names[item.name] = .bundle(bundle)
      case .model(let version): names[item.name] = .version(version, bundle: nil)
      case .store(let path): names[item.name] = .store(overlay?.current(path) ?? path)
      case .mapping(let file): names[item.name] = .mapping(file)
      }
    }
    for (name, file) in mappingsOfLoadedSamples() where names[name] == nil {
      names[name] = .mapping(file)
    }
    for (name, trial) in trials {
      for other in Self.names(of: name, in: names) {
        names[Self.trialPrefix + other] = .trial(trial.document)
      }
    }
    return names.map { ($0.key, $0.value) }
      .sorted { $0.name.count == $1.name.count ? $0.name < $1.name : $0.name.count > $1.name.count }
  }

  /// All names of the same version: `Model1`, `Topics/Model1`.
  private static func names(of name: String, in names: [String: NameTarget]) -> [String] {
    guard case .version(let version, _)? = names[name] else { return [name] }
    let others = names.filter { other in
      guard case .version(version, _) = other.value else { return false }
      return true
    }
    return [name] + others.keys.filter { $0 != name }
  }

  /// The name of the edited copy of a model: the name that was used first.
  func trialName(of name: String) -> String {
    guard trials[name] == nil else { return name }
    let names = Dictionary(namesByLength().map { ($0.name, $0.target) }, uniquingKeysWith: { $1 })
    return Self.names(of: name, in: names).first { trials[$0] != nil } ?? name
  }

  /// The shortest usable name of a version of a loaded bundle.
  func shortName(of version: ModelVersion, in bundle: ModelBundle) -> String? {
    guard let item = loaded.first(where: { $0.kind == .bundle(bundle) }) else { return nil }
    let isUsed = loaded.contains { other in
      if other.name == version.name { return true }
      guard case .bundle(let bundle) = other.kind, other.name != item.name else { return false }
      return bundle.version(named: version.name) != nil
    }
    return isUsed ? "\(item.name)/\(version.name)" : version.name
  }
}
