internal import StrataBase
internal import StrataEssentials
internal import StrataMapping

/// A mapping model file.
package struct MappingFile: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// The path of an `xcmapping.xml`, a `.cdm` or a `.mapping` text.
    case file(String)
    /// The content of a text that is compiled into the program.
    case embedded(String)
  }

  /// The content of a file.
  enum Content {
    case script(MappingScript)
    case document(MappingDocument)
  }

  package var name: String
  package var source: Source

  var path: String? {
    if case .file(let path) = source { path } else { nil }
  }

  /// The folder that contains it; for Xcode's format, the folder of the `.xcmappingmodel`.
  var folder: String? {
    loadedPath.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
  }

  /// The path that a user types; for Xcode's format, the `.xcmappingmodel`.
  var loadedPath: String? {
    guard let path else { return nil }
    let inner = "/" + MappingDocument.fileName
    return path.hasSuffix(inner) ? String(path.dropLast(inner.count)) : path
  }

  /// Whether the name is that of a text.
  var isText: Bool { path?.hasSuffix(Session.mappingTextExtension) == true }
}

/// The mapping models that a command can use, and the problems of the others.
struct KnownMappings {
  var mappings: [TypedMapping] = []
  /// The errors of the mapping models that cannot be read.
  var problems: [Diagnostic] = []
  /// The first problem with a file that Core Data would read, whose content is therefore unknown.
  var unreadable: Diagnostic?

  var forChoice: [NamedMappingModel] { mappings.map(\.forChoice) }
}
