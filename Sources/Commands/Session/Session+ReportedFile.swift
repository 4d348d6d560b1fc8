internal import StrataBase
internal import StrataObjectModel

/// The file that a reference means, as reports for build servers name it.
struct ReportedFile {
  /// Relative to the session's folder, where it lies below it.
  var path: String
  /// The model in it, where it is one.
  fileprivate var model: ObjectModel?

  /// A finding with the line of its entity or property, where the file has one.
  func located(_ finding: Finding) -> Finding {
    guard finding.place.line == nil, let entity = model?[finding.entity] else { return finding }
    var finding = finding
    let line = finding.property.flatMap { entity.line(of: $0) } ?? entity.extras.line
    finding.place.line = line > 0 ? line : nil
    return finding
  }
}

extension Session {
  /// `nil` where a reference means no single file: a folder of stores, a sample, an edited copy.
  func reportedFile(_ text: String) -> ReportedFile? {
    let named = Self.isPath(text) ? nil : namesByLength().first { $0.name == text }?.target
    guard let target = named ?? (try? wholeFile(text)) else { return nil }
    switch target {
    case .store(let path): return ReportedFile(path: shown(path))
    case .mapping(let file): return file.path.map { ReportedFile(path: shown($0)) }
    case .version(let version, _): return reportedFile(of: version)
    case .bundle(let bundle): return bundle.currentVersion.flatMap { reportedFile(of: $0) }
    case .trial, .ambiguous: return nil
    }
  }

  private func reportedFile(of version: ModelVersion) -> ReportedFile? {
    version.filePath.map { ReportedFile(path: shown($0), model: try? model(of: version)) }
  }
}

extension Entity {
  /// The line of a property of its own; `nil` for any other.
  fileprivate func line(of property: String) -> Int? {
    attributes.first { $0.name == property }?.extras.line
      ?? relationships.first { $0.name == property }?.extras.line
  }
}
