internal import Foundation
internal import StrataArchives
package import StrataBase

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
package struct ModelFolderWriter {
  private var update = FolderUpdate()

  package init() {}

  /// Plans `<path>/contents`: the bytes of the file that the document was read from, where both still say the same,
  /// else what Xcode would write.
  ///
  /// - Parameter path: The `.xcdatamodel` folder, made where it is not there.
  /// - Throws: ``ModelError/Problem/notWritable(_:)`` where no XML can hold the model: a compiled
  ///   model may have names with characters that XML knows no way to write.
  package mutating func write(_ document: ModelDocument, to path: String) throws(Diagnostic) {
    update.write(try Self.contents(of: document, writtenTo: path), to: path + "/contents")
  }

  package static func contents(
    of document: ModelDocument, writtenTo path: String
  ) throws(Diagnostic) -> [UInt8] {
    if let original = original(of: document) { return original }
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
    return contents
  }

  /// The XML file that a document was read from, if it says what the document says: comments, the order of attributes
  /// and the end of the last line are kept with it.
  private static func original(of document: ModelDocument) -> [UInt8]? {
    guard let path = document.origin.path, let bytes = try? FileBytes.read(path),
      !bytes.starts(with: Array("bplist".utf8)),
      let again = try? ModelDocument(reading: bytes), again == document
    else { return nil }
    return bytes
  }

  /// Plans that a version of an `.xcdatamodeld` folder is the current one.
  package mutating func setCurrentVersion(_ name: String, ofBundle path: String) {
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
  package func commit() throws(Diagnostic) {
    do {
      try update.commit()
    } catch {
      throw error.diagnostic
    }
  }
}
