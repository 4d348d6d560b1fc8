internal import StrataArchives
package import StrataBase
internal import StrataEssentials

/// Writes models as Xcode's own folders: `.xcdatamodel`, and versions in an `.xcdatamodeld`.
///
/// Planned files are written together, all or none; other files in the folders (`layout`, other versions) are
/// kept.
///
/// Source: `Docs/Facts/model-format.md`, section 1.
///
/// ```swift
/// var writer = ModelFolderWriter()
/// try writer.write(model2.document, to: "/models/App.xcdatamodeld/App 2.xcdatamodel")
/// try writer.setCurrentVersion("App 2", ofBundle: "/models/App.xcdatamodeld")
/// try writer.commit()
/// ```
package struct ModelFolderWriter {
  /// The name of the file in the folder.
  package static let fileName = "contents"

  private var update = FolderUpdate()

  package init() {}

  /// Plans `<path>/contents`: the original bytes if the document is unchanged, otherwise the XML that Xcode
  /// would write.
  ///
  /// - Parameter path: The `.xcdatamodel` folder, created if it does not exist.
  /// - Throws: ``ModelError/Problem/notWritable(_:)`` if the model cannot be represented in XML: names of a
  ///   compiled model can contain characters that XML does not allow.
  package mutating func write(_ document: ModelDocument, to path: String) throws(Diagnostic) {
    update.write(try Self.contents(of: document, writtenTo: path), to: "\(path)/\(Self.fileName)")
  }

  package static func contents(
    of document: ModelDocument, writtenTo path: String
  ) throws(Diagnostic) -> [UInt8] {
    if let original = original(of: document) { return original }
    let contents = document.encodedXML()
    do {
      let again = try ModelDocument(reading: contents)
      guard again.encodedXML() == contents else {
        throw ModelError(.notWritable("reading it back gives a different model"))
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

  /// The bytes of the XML file that a document was read from, if they still match the document: this preserves
  /// comments, the order of attributes and the final newline.
  private static func original(of document: ModelDocument) -> [UInt8]? {
    guard let path = document.origin.path, let bytes = try? FileBytes.read(path),
      !bytes.starts(with: Array("bplist".utf8)),
      let again = try? ModelDocument(reading: bytes), again == document
    else { return nil }
    return bytes
  }

  /// Plans to make a version of an `.xcdatamodeld` folder the current one.
  package mutating func setCurrentVersion(_ name: String, ofBundle path: String) {
    update.write(
      PropertyList.encodedXML([
        "_XCCurrentVersionName": name + BundleForm.source.versionExtension
      ]), to: "\(path)/\(BundleForm.source.currentVersionFile)")
  }

  /// Writes the planned files.
  ///
  /// - Throws: ``Diagnostic`` of a ``FileError``; the files are then unchanged.
  package func commit() throws(Diagnostic) {
    do {
      try update.commit()
    } catch {
      throw error.diagnostic
    }
  }
}
