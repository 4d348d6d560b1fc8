internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataMapping

/// A kind of file that commands write. `--force` replaces only a file of the same kind or an empty file; the
/// kind of a file is determined by its content, not its name.
///
/// ```swift
/// try WrittenKind.report.check("/data/t.sqlite", typedAs: "t.sqlite")  // throws if it is a store
/// ```
enum WrittenKind: CaseIterable {
  case store, mappingModel, model, report, markdownReport, sarifReport, trace, policies, stages,
    document, page, picture, notebook

  /// The kind in messages: `a store`.
  var noun: String {
    switch self {
    case .store: "a store"
    case .mappingModel: "a mapping model"
    case .model: "a model"
    case .report: "a JUnit report"
    case .markdownReport: "a Markdown report"
    case .sarifReport: "a SARIF report"
    case .trace: "a trace"
    case .policies: "a policy file"
    case .stages: "a stages file"
    case .document: "a script or notebook"
    case .page: "a page"
    case .picture: "a picture"
    case .notebook: "a Jupyter notebook"
    }
  }

  /// For a kind that is written as a folder: the file in it that is replaced.
  private var fileInFolder: String? {
    switch self {
    case .mappingModel: MappingDocument.fileName
    case .model: "contents"
    default: nil
    }
  }

  /// Checks that the file at a path, if there is one, may be replaced by one of this kind.
  ///
  /// - Throws: ``Diagnostic``: a file of another kind, or one that cannot be read.
  func check(_ path: String, typedAs typed: String) throws(Diagnostic) {
    let content: FileContent
    do throws(FileError) {
      switch try OpenedPath.kind(path) {
      case .file?: content = try FileContent(of: path)
      case .folder?:
        guard let fileInFolder, case let file = "\(path)/\(fileInFolder)",
          try OpenedPath.kind(file) == .file
        else { return }
        content = try FileContent(of: file)
      // A pipe or device has no content to protect; the writer reports whether it is writable.
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
}
