internal import StrataArchives
package import StrataBase
internal import StrataEssentials

/// One version of a model: its name and the location of its document.
package struct ModelVersion: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// The path of an `.xcdatamodel` folder or of a model file.
    case file(String)
    /// The bytes of a `contents` file, compiled into the program.
    case embedded([UInt8])

    package func hash(into hasher: inout Hasher) {
      switch self {
      case .file(let path): hasher.combine(path)
      // Hashing all bytes takes longer than comparing those of equal sizes, which are mostly the same array.
      case .embedded(let bytes): hasher.combine(bytes.count)
      }
    }
  }

  package var name: String
  package var source: Source

  package init(name: String, source: Source) {
    self.name = name
    self.source = source
  }

  /// The path of the model file (for an `.xcdatamodel` folder, of the file inside); `nil` if there is none.
  package var filePath: String? {
    guard case .file(let path) = source else { return nil }
    return Self.candidates(at: path).first(where: Self.isFile)
  }

  private static func candidates(at path: String) -> [String] {
    // A model that Xcode before 4.1 saved has `elements` instead.
    [path, "\(path)/contents", "\(path)/elements"]
  }

  private static func isFile(_ path: String) -> Bool {
    let kind = try? OpenedPath.kind(path)
    return kind != nil && kind != .folder
  }

  /// Reads the model.
  ///
  /// - Parameter models: The models that were read so far; a file with equal bytes is not read again.
  /// - Throws: ``Diagnostic`` with the file and the line if the file is unreadable, in an unknown format, or
  ///   the model is inconsistent.
  package func read(
    sharing models: SharedModels = SharedModels()
  ) throws(Diagnostic) -> ObjectModel {
    let (bytes, path): ([UInt8], String)
    switch source {
    case .embedded(let contents): (bytes, path) = (contents, name)
    case .file(let file): (bytes, path) = try Self.contents(of: file)
    }
    do {
      let model = try models.model(of: bytes)
      guard case .file = source else { return model }
      return model.located(at: path)
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: path)
    } catch {
      throw Diagnostic(id: "model.unreadable", what: "\(error)", location: Location(file: path))
    }
  }

  /// The bytes of the model file; for an `.xcdatamodel` folder, of the file inside.
  private static func contents(of path: String) throws(Diagnostic) -> ([UInt8], String) {
    do {
      return (try FileBytes.read(path), path)
    } catch FileError.isFolder {
      for file in candidates(at: path).dropFirst() {
        do {
          return (try FileBytes.read(file), file)
        } catch FileError.notFound {
          continue
        } catch {
          throw error.diagnostic
        }
      }
      throw FileError.notFound(path + "/contents").diagnostic
    } catch {
      throw error.diagnostic
    }
  }
}

extension ModelDocument {
  /// Reads a model document; the first bytes determine the format: a keyed archive (a `.mom`, a store's cached
  /// model, the `elements` of an old `.xcdatamodel`) or XML.
  package init(reading bytes: [UInt8]) throws {
    if bytes.starts(with: Array("bplist".utf8)) {
      let archive = try KeyedArchive(reading: bytes)
      if try archive.root().className == Self.elementsRootClass {
        try self.init(elements: archive)
      } else {
        try self.init(archive: archive)
      }
    } else {
      try self.init(markup: MarkupElement(reading: bytes))
    }
  }
}
