package import StrataArchives

/// The two forms of a versioned model: the source that Xcode edits, and the compiled bundle in an app.
///
/// Source: `Docs/Facts/model-format.md`, sections 1 and 4.1.
package enum BundleForm: Sendable, CaseIterable {
  case source
  case compiled

  /// `.xcdatamodeld` or `.momd`.
  package var bundleExtension: String {
    switch self {
    case .source: ".xcdatamodeld"
    case .compiled: ".momd"
    }
  }

  /// `.xcdatamodel` (a folder) or `.mom` (a file).
  package var versionExtension: String {
    switch self {
    case .source: ".xcdatamodel"
    case .compiled: ".mom"
    }
  }

  /// The endings of bundles and versions in both forms.
  package static let endings = allCases.flatMap { [$0.bundleExtension, $0.versionExtension] }

  /// The file extension and the first bytes of the optimized copy of a version that the compiler writes next to
  /// its `.mom`.
  package static let (optimizedExtension, optimizedMark) = (".omo", Array("momv2$".utf8))

  /// The form of a folder with these file names; `nil` if it contains no version.
  package init?(ofFolderWith names: [String]) {
    let form = Self.allCases.first { form in
      names.contains { form.versionName(ofFile: $0) != nil }
    }
    guard let form else { return nil }
    self = form
  }

  /// Splits a path into a bundle: `A.momd/Model 2` is the bundle `A.momd` and its version `Model 2`.
  package static func parts(ofPath path: String) -> (bundle: String, version: String)? {
    for form in allCases {
      if let end = path.firstRange(of: form.bundleExtension + "/") {
        return (String(path[..<end.upperBound].dropLast()), String(path[end.upperBound...]))
      }
    }
    return nil
  }

  /// The name of the version in a file of this name; `nil` for other files.
  package func versionName(ofFile name: String) -> String? {
    name.hasSuffix(versionExtension) ? String(name.dropLast(versionExtension.count)) : nil
  }

  /// The file that names the current version.
  package var currentVersionFile: String {
    switch self {
    case .source: ".xccurrentversion"
    case .compiled: "VersionInfo.plist"
    }
  }

  /// The current version named by the file, if any.
  package func versionName(in plist: PropertyList) -> String {
    switch self {
    case .source:
      let file = plist["_XCCurrentVersionName"]?.string ?? ""
      return versionName(ofFile: file) ?? file
    case .compiled: return VersionInfo(plist).currentVersionName ?? ""
    }
  }
}
