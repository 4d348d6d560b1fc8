internal import Foundation
public import StrataDiagnostics

/// Writes models as Xcode's own folders: `.xcdatamodel`, and versions in an `.xcdatamodeld`.
///
/// Each file is written whole under another name and then takes its place, so that a bundle in use is
/// never seen half-written; files that are none of its own (`layout`, other versions) stay.
///
/// Source: facts on the model format, section 1.
public enum ModelFolderWriter {
  /// Writes `<path>/contents`.
  ///
  /// - Parameters:
  ///   - contents: XML as ``ModelDocument/encodedXML()`` gives it.
  ///   - path: The `.xcdatamodel` folder, made where it is not there.
  public static func write(contents: [UInt8], to path: String) throws(Diagnostic) {
    try write(contents, toFile: path + "/contents")
  }

  /// Makes a version of an `.xcdatamodeld` folder the current one.
  public static func setCurrentVersion(
    _ name: String, ofBundle path: String
  ) throws(Diagnostic) {
    let path = "\(path)/\(BundleForm.source.currentVersionFile)"
    let plist = ["_XCCurrentVersionName": name + BundleForm.source.versionExtension]
    let bytes: Data
    do {
      bytes = try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
    } catch {
      preconditionFailure("a dictionary of text is a property list: \(error)")
    }
    try write([UInt8](bytes), toFile: path)
  }

  private static func write(_ bytes: [UInt8], toFile path: String) throws(Diagnostic) {
    let url = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url, options: .atomic)
    } catch {
      throw Diagnostic(
        id: "file.unwritable", what: "the file cannot be written: \(error.localizedDescription)",
        location: Location(file: path), mend: "choose a folder that you may write to")
    }
  }
}
