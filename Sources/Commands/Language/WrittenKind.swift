internal import Foundation
internal import StrataArchives
internal import StrataBase
internal import StrataMapping

/// The kinds of files that commands write. `--force` replaces a file of the kind that is written, or an empty one,
/// and nothing else: what a file is, its content tells, not its name.
///
/// ```swift
/// try WrittenKind.report.check("/data/t.sqlite", typedAs: "t.sqlite")  // throws: this is a store
/// ```
enum WrittenKind: CaseIterable {
  case store, mappingModel, model, report, trace, policies, stages, document

  /// `a store`.
  var noun: String {
    switch self {
    case .store: "a store"
    case .mappingModel: "a mapping model"
    case .model: "a model"
    case .report: "a JUnit report"
    case .trace: "a trace"
    case .policies: "a policy file"
    case .stages: "a stages file"
    case .document: "a script or notebook"
    }
  }

  /// Whether the folders of its path are created where they do not exist.
  private var createsFolders: Bool { self != .report && self != .trace }

  /// Where it is written as a folder: the file in it that is replaced.
  private var fileInFolder: String? {
    switch self {
    case .mappingModel: MappingDocument.fileName
    case .model: "contents"
    default: nil
    }
  }

  /// Checks that the file at a path, if there is one, may be replaced by one of this kind.
  ///
  /// - Throws: ``Diagnostic``: a file of another kind, one that cannot be read, or a folder that does not exist.
  func check(_ path: String, typedAs typed: String) throws(Diagnostic) {
    let content: FileContent
    do throws(FileError) {
      if !createsFolders, let absence = OpenedPath.absence(Self.folder(of: path)) {
        throw .unwritable(
          path, reason: absence == .notFound ? "its folder is not there" : absence.words)
      }
      switch try OpenedPath.kind(path) {
      case .file?: content = try FileContent(of: path)
      case .folder?:
        guard let fileInFolder, case let file = "\(path)/\(fileInFolder)",
          try OpenedPath.kind(file) == .file
        else { return }
        content = try FileContent(of: file)
      // A pipe or a device keeps nothing; whether it can be written to, the writer says.
      default: return
      }
    } catch {
      var diagnostic = error.diagnostic
      diagnostic.location?.file = typed
      throw diagnostic
    }
    guard !content.isEmpty, !content.isOf(self) else { return }
    throw Diagnostic(
      id: "file.otherKind",
      what: "this is \(content.noun); --force replaces only \(noun) with \(noun)",
      location: Location(file: typed), fix: "choose another name")
  }

  private static func folder(of path: String) -> String {
    URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}
