internal import StrataArchives
public import StrataDiagnostics

/// One version of a model: a name, and where its document stands.
public struct ModelVersion: Sendable, Hashable {
  public enum Source: Sendable, Hashable {
    /// The path of an `.xcdatamodel` folder or of a file with a model in it.
    case file(String)
    /// The bytes of a `contents` file, compiled into the program.
    case embedded([UInt8])
  }

  public var name: String
  public var source: Source

  public init(name: String, source: Source) {
    self.name = name
    self.source = source
  }

  /// Reads the model.
  ///
  /// - Throws: ``Diagnostic`` with the file and the line: unreadable, in no known format, or a model
  ///   that does not hold together.
  public func read() throws(Diagnostic) -> ObjectModel {
    let (bytes, path): ([UInt8], String)
    switch source {
    case .embedded(let contents): (bytes, path) = (contents, name)
    case .file(let file): (bytes, path) = try Self.contents(of: file)
    }
    do {
      return try ObjectModel(try ModelDocument(reading: bytes))
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: path)
    } catch {
      throw Diagnostic(id: "model.unreadable", what: "\(error)", location: Location(file: path))
    }
  }

  /// The bytes of the model file itself: for an `.xcdatamodel` folder, its `contents`.
  private static func contents(of path: String) throws(Diagnostic) -> ([UInt8], String) {
    do {
      return (try FileBytes.read(path), path)
    } catch FileError.isFolder {
      let contents = path + "/contents"
      do {
        return (try FileBytes.read(contents), contents)
      } catch FileError.notFound {
        if (try? FileBytes.read(path + "/elements")) != nil {
          throw ModelError(.oldFormat).diagnostic.located(in: path)
        }
        throw FileError.notFound(contents).diagnostic
      } catch {
        throw error.diagnostic
      }
    } catch {
      throw error.diagnostic
    }
  }
}

extension ModelDocument {
  /// Reads a model document in whichever format its first bytes tell: a keyed archive (`.mom`, a
  /// store's cached model) or the XML of an `.xcdatamodel`.
  public init(reading bytes: [UInt8]) throws {
    if bytes.starts(with: Array("bplist".utf8)) {
      try self.init(archive: KeyedArchive(reading: bytes))
    } else {
      try self.init(markup: MarkupElement(reading: bytes))
    }
  }
}
