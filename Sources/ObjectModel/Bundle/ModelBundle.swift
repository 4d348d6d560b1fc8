internal import Foundation
internal import StrataArchives
package import StrataBase

/// A versioned model, as its source (`.xcdatamodeld`) or compiled (`.momd`): its versions, and which
/// of them is current.
///
/// Versions are listed, not read; ``ModelVersion/read()`` reads one.
package struct ModelBundle: Sendable, Hashable {
  /// The bundle's name without extension.
  package var name: String
  /// By name, numbers compared by value: Core Data itself knows no order.
  package var versions: [ModelVersion]
  package var currentVersionName: String?
  /// What the bundle's own file says is current, be it there or not.
  package private(set) var declaredVersionName: String?
  /// What is odd about the bundle though it can be used.
  package var warnings: [Diagnostic]
  /// The folder that was listed, and its stamp then; a bundle made in memory has none.
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

  /// Lists an `.xcdatamodeld` or `.momd` folder; what it is, the files in it tell.
  ///
  /// The optimised copy of the current version in a `.momd` (`.omo`) says nothing that its `.mom` does
  /// not, and is left alone.
  ///
  /// - Throws: ``Diagnostic``: not there, not a folder, or a folder without any version.
  package init(path: String) throws(Diagnostic) {
    let stamp = FileStamp(path)
    let names: [String]
    do {
      names = try OpenedPath.names(in: path)
    } catch {
      throw error.diagnostic
    }
    guard let form = BundleForm(ofFolderWith: names) else {
      throw Diagnostic(
        id: "model.emptyBundle", what: "the folder holds no .xcdatamodel and no .mom",
        location: Location(file: path), fix: "name the .xcdatamodeld of your project")
    }
    let versions = names.compactMap { name in
      form.versionName(ofFile: name).map {
        ModelVersion(name: $0, source: .file("\(path)/\(name)"))
      }
    }
    let base = path.split(separator: "/").last.map(String.init) ?? path
    self.init(
      name: base.hasSuffix(form.bundleExtension)
        ? String(base.dropLast(form.bundleExtension.count)) : base,
      versions: versions, currentVersionName: nil)
    folder = path
    self.stamp = stamp
    try readCurrentVersion(path: path, form: form)
  }

  /// The bundle that stands at a path; `nil` where nothing does, or a folder without any version.
  ///
  /// - Throws: ``Diagnostic`` where the folder cannot be listed, and where there are versions, but the file that names
  ///   the current one is damaged.
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

  /// The bundle as its folder is now, where that has changed; `nil` where it has not, or where it
  /// holds no bundle any more.
  package func listedAgain() -> ModelBundle? {
    guard let folder, FileStamp(folder) != stamp else { return nil }
    return try? ModelBundle(path: folder)
  }

  /// Takes the current version from the bundle's own file; a bundle without one has its single or
  /// first version as current.
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
            what: "the bundle names no current version; \(versions[0].name) is taken",
            location: Location(file: path), fix: "choose the current version in Xcode"))
      }
      return
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    } catch {
      throw FileError.unreadable(file, FileCause(error)).diagnostic
    }
    declaredVersionName = named
    // The name comes from a file: it chooses among the versions that are there, and is no path.
    if version(named: named) != nil {
      currentVersionName = named
    } else {
      currentVersionName = versions.last?.name
      warnings.append(
        Diagnostic(
          id: "model.unknownCurrentVersion", severity: .warning,
          what:
            "the current version \"\(named)\" is not in the bundle; \(versions.last?.name ?? "") is taken instead",
          location: Location(file: file), fix: "choose the current version in Xcode again"))
    }
  }
}
