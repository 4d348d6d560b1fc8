/// A mapping model, by where it stands; it is read anew for each question.
public struct MappingFile: Sendable, Hashable {
  public enum Source: Sendable, Hashable {
    /// The path of an `xcmapping.xml`, a `.cdm` or a text.
    case file(String)
    /// A text, compiled into the program.
    case embedded(String)
  }

  public var name: String
  public var source: Source

  var path: String? {
    if case .file(let path) = source { path } else { nil }
  }
}
