internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataExpressions
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSamples

extension Session {
  static let policyExtension = ".policy"

  /// The policies that a migration can use: those linked into the program, those of the named files, those
  /// of the `.policy` files beside the bundles that are loaded or named, and those of samples. If several
  /// have the same name, the first is used.
  ///
  /// - Parameters:
  ///     - folder: A further folder with `.policy` files.
  ///     - isRevealing: Whether their messages show values of the store.
  /// - Throws: ``Diagnostic`` with file and line if a named file cannot be read. Other unreadable files are in
  ///     ``PolicyRegistry/unreadable``: they stop only a migration with an unknown policy.
  func policies(
    for references: [String], files: [String], in folder: String? = nil,
    revealing isRevealing: Bool = false
  ) throws -> PolicyRegistry {
    var registry = policies
    for file in files {
      let found = try policies(at: try path(file), named: file)
      if let twice = found.first(where: { new in
        registry.named.contains(where: new.replaces)
      }) {
        throw Diagnostic(
          id: "policy.duplicate", what: "the policy \(twice.name) is in another named file too",
          location: Location(file: file),
          fix: "name one of the files, or restrict one of the policies with for, in, from or to")
      }
      registry.add(found, revealing: isRevealing)
      registry.named += found
    }
    var folders: [String] = []
    func add(policiesIn folder: String) throws {
      guard !folders.contains(folder) else { return }
      folders.append(folder)
      try access.check(folder)
      for item in items(in: folder) where item.name.hasSuffix(Self.policyExtension) {
        do {
          registry.add(try policies(at: item.path, named: shown(item.path)), revealing: isRevealing)
        } catch let error as any DiagnosticError {
          registry.unreadable.append(error.diagnostic)
        }
      }
    }
    if let folder { try add(policiesIn: folder) }
    for bundle in bundles(for: references) {
      if let folder = bundle.folder {
        try add(policiesIn: self.folder(of: folder))
      } else if let sample = Sample.all.first(where: { $0.bundle == bundle }) {
        let text = sample.policies
        registry.add(
          try policyCache.value(of: text, nil) { try PolicyScript.policies(parsing: text) },
          revealing: isRevealing)
      }
    }
    return registry
  }

  /// The policies of a file, which the session must be allowed to read.
  ///
  /// - Parameter name: The name of the file in errors.
  func policies(at path: String, named name: String) throws -> [PolicyScript] {
    try access.check(path)
    do {
      let found = try policyCache.value(of: path, FileStamp(path)) {
        try PolicyScript.policies(
          parsing: LineLanguage.policy.text(of: FileBytes.read(path)))
      }
      return found.map { policy in
        var policy = policy
        policy.file = name
        return policy
      }
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: name)
    }
  }
}
