internal import StrataArchives

/// The two forms of a versioned model: as Xcode edits it, and as its compiler leaves it in an app.
///
/// Source: facts on the model format, sections 1 and 4.1.
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

  /// The end of the name of a version in the form that the compiler optimizes for Core Data, beside its `.mom`, and the
  /// first bytes of such a file.
  package static let (optimizedExtension, optimizedMark) = (".omo", Array("momv2$".utf8))

  /// The form of a folder by the names in it; `nil` where no version is among them.
  package init?(ofFolderWith names: [String]) {
    let form = Self.allCases.first { form in
      names.contains { form.versionName(ofFile: $0) != nil }
    }
    guard let form else { return nil }
    self = form
  }

  /// A path into a bundle, taken apart: `A.momd/Model 2` is the bundle `A.momd` and its `Model 2`.
  package static func parts(ofPath path: String) -> (bundle: String, version: String)? {
    for form in allCases {
      if let end = path.firstRange(of: form.bundleExtension + "/") {
        return (String(path[..<end.upperBound].dropLast()), String(path[end.upperBound...]))
      }
    }
    return nil
  }

  /// The name of the version in a file of this name; `nil` for other files.
  func versionName(ofFile name: String) -> String? {
    name.hasSuffix(versionExtension) ? String(name.dropLast(versionExtension.count)) : nil
  }

  /// The file that names the current version.
  var currentVersionFile: String {
    switch self {
    case .source: ".xccurrentversion"
    case .compiled: "VersionInfo.plist"
    }
  }

  /// The current version that the file names, or nothing.
  func versionName(in plist: PropertyList) -> String {
    switch self {
    case .source:
      let file = plist["_XCCurrentVersionName"]?.string ?? ""
      return versionName(ofFile: file) ?? file
    case .compiled: return VersionInfo(plist).currentVersionName ?? ""
    }
  }
}
