internal import StrataArchives
package import StrataBase
internal import StrataEssentials

/// A versioned model, as source (`.xcdatamodeld`) or compiled (`.momd`): its versions and the current version.
///
/// Versions are listed, not read; ``ModelVersion/read()`` reads one.
package struct ModelBundle: Sendable, Hashable {
  /// The bundle's name without extension.
  package var name: String
  /// Sorted by name, with numbers compared by value; Core Data defines no order.
  package var versions: [ModelVersion]
  package var currentVersionName: String?
  /// The current version according to the bundle, whether or not that version exists.
  package private(set) var declaredVersionName: String?
  /// Warnings about the bundle.
  package var warnings: [Diagnostic]
  /// The listed folder and its stamp at that time; `nil` for a bundle created in memory.
  package private(set) var folder: String?
  private var stamp: FileStamp?

  package init(name: String, versions: [ModelVersion], currentVersionName: String?) {
    self.name = name
    self.versions = versions.sorted { $0.name.precedesByNumber($1.name) }
    self.currentVersionName = currentVersionName
    warnings = []
  }

  package func version(named name: String) -> ModelVersion? {
    versions.first { $0.name == name }
  }

  package var currentVersion: ModelVersion? { currentVersionName.flatMap(version(named:)) }

  /// Lists an `.xcdatamodeld` or `.momd` folder; its form is determined by the files in it.
  ///
  /// The optimized copy of the current version in a `.momd` (`.omo`) contains the same model as its `.mom` and
  /// is ignored.
  ///
  /// - Throws: ``Diagnostic`` if the path does not exist, is not a folder, or contains no version.
  package init(path: String) throws(Diagnostic) {
    let form: BundleForm
    (self, form) = try Self.listed(at: path)
    try readCurrentVersion(path: path, form: form)
  }

  /// Lists a folder without its current version, for one whose file that names it is damaged.
  ///
  /// - Throws: As ``init(path:)``, but not because of that file.
  package init(versionsAt path: String) throws(Diagnostic) {
    self = try Self.listed(at: path).bundle
  }

  private static func listed(
    at path: String
  ) throws(Diagnostic) -> (bundle: ModelBundle, form: BundleForm) {
    let stamp = FileStamp(path)
    let names: [String]
    do {
      names = try OpenedPath.names(in: path)
    } catch {
      throw error.diagnostic
    }
    guard let form = BundleForm(ofFolderWith: names) else {
      throw Diagnostic(
        id: "model.emptyBundle", what: "the folder contains no .xcdatamodel or .mom",
        location: Location(file: path), fix: "name the .xcdatamodeld of your project")
    }
    let versions = names.compactMap { name in
      form.versionName(ofFile: name).map {
        ModelVersion(name: $0, source: .file("\(path)/\(name)"))
      }
    }
    let base = path.split(separator: "/").last.map(String.init) ?? path
    var bundle = ModelBundle(
      name: base.hasSuffix(form.bundleExtension)
        ? String(base.dropLast(form.bundleExtension.count)) : base,
      versions: versions, currentVersionName: nil)
    bundle.folder = path
    bundle.stamp = stamp
    return (bundle, form)
  }

  /// The bundle at a path; `nil` if the path does not exist or contains no version.
  ///
  /// - Throws: ``Diagnostic`` if the folder cannot be listed, or if it contains versions and the file that
  ///   names the current version is damaged.
  package static func existing(at path: String) throws(Diagnostic) -> ModelBundle? {
    do {
      guard BundleForm(ofFolderWith: try OpenedPath.names(in: path)) != nil else { return nil }
    } catch {
      switch error {
      case .notFound, .unreadable(_, .notAFolder): return nil
      default: throw error.diagnostic
      }
    }
    return try ModelBundle(path: path)
  }

  /// The bundle read again if its folder has changed; `nil` if it has not changed or is no longer a bundle.
  package func listedAgain() -> ModelBundle? {
    guard let folder, FileStamp(folder) != stamp else { return nil }
    return try? ModelBundle(path: folder)
  }

  /// Reads the current version from the bundle's file; without that file, the first version is current.
  private mutating func readCurrentVersion(path: String, form: BundleForm) throws(Diagnostic) {
    let file = "\(path)/\(form.currentVersionFile)"
    let named: String
    do {
      named = form.versionName(in: try PropertyList(reading: FileBytes.read(file)))
    } catch FileError.notFound {
      currentVersionName = versions[0].name
      if versions.count > 1 {
        warnings.append(
          Diagnostic(
            id: "model.noCurrentVersion", severity: .warning,
            what: "the bundle names no current version; \(versions[0].name) is used",
            location: Location(file: path), fix: "choose the current version in Xcode"))
      }
      return
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    } catch {
      throw FileError.unreadable(file, FileCause(error)).diagnostic
    }
    declaredVersionName = named
    // The name comes from a file, so it only selects an existing version and is never used as a path.
    if version(named: named) != nil {
      currentVersionName = named
    } else {
      currentVersionName = versions.last?.name
      warnings.append(
        Diagnostic(
          id: "model.unknownCurrentVersion", severity: .warning,
          what:
            "the current version \"\(named)\" is not in the bundle; \(versions.last?.name ?? "") is used instead",
          location: Location(file: file), fix: "choose the current version in Xcode again"))
    }
  }
}
