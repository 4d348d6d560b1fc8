internal import Foundation
internal import StrataBase
internal import StrataMapping

/// A mapping model, by where it stands; it is read anew for each question.
package struct MappingFile: Sendable, Hashable {
  package enum Source: Sendable, Hashable {
    /// The path of an `xcmapping.xml`, a `.cdm` or a text.
    case file(String)
    /// A text, compiled into the program.
    case embedded(String)
  }

  package var name: String
  package var source: Source

  var path: String? {
    if case .file(let path) = source { path } else { nil }
  }

  /// The folder that holds it, of Xcode's form the `.xcmappingmodel`.
  var folder: String? {
    loadedPath.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
  }

  /// The path by which a user names it: of Xcode's form, the folder.
  var loadedPath: String? {
    guard let path else { return nil }
    let inner = "/" + MappingDocument.fileName
    return path.hasSuffix(inner) ? String(path.dropLast(inner.count)) : path
  }

  /// Whether it is a text, by its name.
  var isText: Bool { path?.hasSuffix(Session.mappingTextExtension) == true }
}

/// The mapping models that a command may use, and what is wrong with others.
struct KnownMappings {
  var mappings: [NamedMapping] = []
  /// Why others cannot be read.
  var problems: [Diagnostic] = []
  /// The first problem with a file that Core Data would read: nobody knows what it says.
  var unreadable: Diagnostic?

  var forChoice: [NamedMappingModel] { mappings.map(\.forChoice) }
}
