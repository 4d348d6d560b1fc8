internal import Foundation
internal import StrataArchives
public import StrataDiagnostics

/// Writes models as Xcode's own folders: `.xcdatamodel`, and versions in an `.xcdatamodeld`.
///
/// What is planned is written together, all of it or nothing; files that are none of its own
/// (`layout`, other versions) stay.
///
/// Source: facts on the model format, section 1.
///
/// ```swift
/// var writer = ModelFolderWriter()
/// try writer.write(document, to: "/models/App.xcdatamodeld/App 2.xcdatamodel")
/// try writer.setCurrentVersion("App 2", ofBundle: "/models/App.xcdatamodeld")
/// try writer.commit()
/// ```
public struct ModelFolderWriter {
  private var update = FolderUpdate()

  public init() {}

  /// Plans `<path>/contents`.
  ///
  /// - Parameter path: The `.xcdatamodel` folder, made where it is not there.
  /// - Throws: ``ModelError/Problem/notWritable(_:)`` where no XML can hold the model: a compiled
  ///   model may have names with characters that XML knows no way to write.
  public mutating func write(_ document: ModelDocument, to path: String) throws(Diagnostic) {
    let contents = document.encodedXML()
    do {
      let again = try ModelDocument(reading: contents)
      guard again.encodedXML() == contents else {
        throw ModelError(.notWritable("it would be read as another model"))
      }
    } catch let error as ModelError {
      throw error.diagnostic.located(in: path)
    } catch let error as any DiagnosticError {
      throw ModelError(.notWritable(error.diagnostic.what)).diagnostic.located(in: path)
    } catch {
      throw ModelError(.notWritable("\(error)")).diagnostic.located(in: path)
    }
    update.write(contents, to: path + "/contents")
  }

  /// Plans that a version of an `.xcdatamodeld` folder is the current one.
  public mutating func setCurrentVersion(_ name: String, ofBundle path: String) {
    let plist = ["_XCCurrentVersionName": name + BundleForm.source.versionExtension]
    do {
      let bytes = try PropertyListSerialization.data(
        fromPropertyList: plist, format: .xml, options: 0)
      update.write([UInt8](bytes), to: "\(path)/\(BundleForm.source.currentVersionFile)")
    } catch {
      preconditionFailure("a dictionary of text is a property list: \(error)")
    }
  }

  /// Writes what was planned.
  ///
  /// - Throws: ``Diagnostic`` of a ``FileError``, after which everything is as it was.
  public func commit() throws(Diagnostic) {
    do {
      try update.commit()
    } catch {
      throw error.diagnostic
    }
  }
}
