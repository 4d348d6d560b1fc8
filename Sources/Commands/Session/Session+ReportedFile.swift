internal import StrataBase
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

/// The file of a reference, for reports to build servers.
struct ReportedFile {
  /// The path, relative to the session's folder if it is in it.
  var path: String
  /// The model in the file, if it is a model.
  fileprivate var model: ObjectModel?

  /// The text form of the mapping model in the file.
  fileprivate var script: MappingScript?

  /// Adds the line of the entity, entity mapping or property to a finding, if the file has lines.
  func located(_ finding: Finding) -> Finding {
    guard finding.location.line == nil else { return finding }
    var finding = finding
    let location = finding.location
    finding.location.line =
      model?.line(of: location)
      ?? location.mapping.flatMap { script?.line(of: location.property, in: $0) }
    return finding
  }
}

extension Session {
  /// The findings with their lines in the file of a reference.
  func checkedFile(
    _ name: String, _ findings: [Finding], in reference: String
  ) -> CheckedFile {
    let file = reportedFile(reference)
    var checked = CheckedFile(
      name: name, findings: findings.map { (file?.located($0) ?? $0).namingProgram() })
    checked.file = file?.path
    return checked
  }

  /// `nil` if the reference is not a single file: a folder of stores, a sample, an edited copy.
  func reportedFile(_ text: String) -> ReportedFile? {
    let named = Self.isPath(text) ? nil : namesByLength().first { $0.name == text }?.target
    guard let target = named ?? (try? wholeFile(text)) else { return nil }
    switch target {
    case .store(let path): return ReportedFile(path: shown(path))
    case .mapping(let file):
      return file.path.map {
        ReportedFile(path: shown($0), script: try? script(at: $0))
      }
    case .version(let version, _): return reportedFile(of: version)
    case .bundle(let bundle): return bundle.currentVersion.flatMap { reportedFile(of: $0) }
    case .trial, .ambiguous: return nil
    }
  }

  private func reportedFile(of version: ModelVersion) -> ReportedFile? {
    version.filePath.map { ReportedFile(path: shown($0), model: try? model(of: version)) }
  }
}

extension ObjectModel {
  /// The line of an entity, or of a property that it declares; `nil` for others, and in a file without lines.
  func line(of location: FindingLocation) -> Int? {
    guard let entity = location.entity.flatMap({ self[$0] }) else { return nil }
    let line = location.property.flatMap { entity.line(of: $0) } ?? entity.extras.line
    return line > 0 ? line : nil
  }
}

extension Entity {
  fileprivate func line(of property: String) -> Int? {
    attribute(named: property).map { line(of: $0) }
      ?? relationship(named: property).map { line(of: $0) }
  }
}
