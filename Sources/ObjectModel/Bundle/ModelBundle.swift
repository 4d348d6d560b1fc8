internal import Foundation
internal import StrataArchives
public import StrataDiagnostics
internal import StrataValues

/// A versioned model (`.xcdatamodeld`): its versions, and which of them is current.
///
/// Versions are listed, not read; ``ModelVersion/read()`` reads one.
public struct ModelBundle: Sendable, Hashable {
  /// The bundle's name without extension.
  public var name: String
  /// By name, numbers compared by value: Core Data itself knows no order.
  public var versions: [ModelVersion]
  public var currentVersionName: String?
  /// What is odd about the bundle though it can be used.
  public var warnings: [Diagnostic]

  public init(name: String, versions: [ModelVersion], currentVersionName: String?) {
    self.name = name
    self.versions = versions.sorted { $0.name.precedesByNumber($1.name) }
    self.currentVersionName = currentVersionName
    warnings = []
  }

  public func version(named name: String) -> ModelVersion? {
    versions.first { $0.name == name }
  }

  public var currentVersion: ModelVersion? { currentVersionName.flatMap(version(named:)) }

  /// Lists an `.xcdatamodeld` folder.
  ///
  /// - Throws: ``Diagnostic``: not there, not a folder, or a folder without any version.
  public init(path: String) throws(Diagnostic) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      let exists = FileManager.default.fileExists(atPath: path)
      throw (exists ? FileError.unreadable(path) : FileError.notFound(path)).diagnostic
    }
    let versions = names.filter { $0.hasSuffix(Self.versionExtension) }.map { name in
      ModelVersion(
        name: String(name.dropLast(Self.versionExtension.count)), source: .file("\(path)/\(name)"))
    }
    guard !versions.isEmpty else {
      throw Diagnostic(
        id: "model.emptyBundle", what: "the folder holds no .xcdatamodel",
        location: Location(file: path), mend: "name the .xcdatamodeld of your project")
    }
    let base = path.split(separator: "/").last.map(String.init) ?? path
    self.init(
      name: base.hasSuffix(".xcdatamodeld") ? String(base.dropLast(13)) : base,
      versions: versions, currentVersionName: nil)
    try readCurrentVersion(path: path)
  }

  private static let versionExtension = ".xcdatamodel"

  /// Takes the current version from `.xccurrentversion`; a bundle without one has its single or
  /// first version as current.
  private mutating func readCurrentVersion(path: String) throws(Diagnostic) {
    let file = path + "/.xccurrentversion"
    let plist: PropertyList
    do {
      plist = try PropertyList(reading: FileBytes.read(file))
    } catch FileError.notFound {
      currentVersionName = versions[0].name
      if versions.count > 1 {
        warnings.append(
          Diagnostic(
            id: "model.noCurrentVersion", severity: .warning,
            what: "the bundle names no current version; \(versions[0].name) is taken",
            location: Location(file: path), mend: "choose the current version in Xcode"))
      }
      return
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: file)
    } catch {
      throw FileError.unreadable(file).diagnostic
    }
    // The name comes from a file: it chooses among the versions that are there, and is no path.
    let named = plist["_XCCurrentVersionName"]?.string ?? ""
    let name =
      named.hasSuffix(Self.versionExtension)
      ? String(named.dropLast(Self.versionExtension.count)) : named
    if version(named: name) != nil {
      currentVersionName = name
    } else {
      currentVersionName = versions.last?.name
      warnings.append(
        Diagnostic(
          id: "model.unknownCurrentVersion", severity: .warning,
          what:
            "the current version \"\(named)\" is not in the bundle; \(versions.last?.name ?? "") is taken instead",
          location: Location(file: file), mend: "choose the current version in Xcode again"))
    }
  }
}
