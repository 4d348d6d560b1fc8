internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel
internal import StrataSamples

extension Session {
  static let policyExtension = ".policy"

  /// The policies that a migration may use: those linked into the program, those of the files named, those
  /// of the `.policy` files beside the bundles that are loaded or named, and those of samples. Of several
  /// with one name the first counts.
  ///
  /// - Parameters:
  ///   - folder: Where else `.policy` files are looked for.
  ///   - isRevealing: Whether their messages show values of the store.
  /// - Throws: ``Diagnostic`` with file and line, where a file that is named cannot be read. Where another one
  ///   cannot, ``PolicyRegistry/unreadable`` tells it: it stops what needs a policy that nobody knows.
  func policies(
    for references: [String], files: [String], in folder: String? = nil,
    revealing isRevealing: Bool = false
  ) throws -> PolicyRegistry {
    var registry = policies
    for file in files {
      registry.add(try policies(at: try path(file), named: file), revealing: isRevealing)
    }
    var places: [String] = []
    func add(policiesIn place: String) throws {
      guard !places.contains(place) else { return }
      places.append(place)
      try access.check(place)
      for item in items(in: place) where item.name.hasSuffix(Self.policyExtension) {
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
        registry.add(try PolicyScript.policies(parsing: sample.policies), revealing: isRevealing)
      }
    }
    return registry
  }

  /// The policies of a file, which must be readable in this session.
  ///
  /// - Parameter name: How errors call the file.
  func policies(at path: String, named name: String) throws -> [PolicyScript] {
    try access.check(path)
    do {
      let text = String(decoding: try FileBytes.read(path), as: UTF8.self)
      return try PolicyScript.policies(parsing: text)
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: name)
    }
  }
}
