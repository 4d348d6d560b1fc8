/// A mapping model of a sample, in the text form.
///
/// ```swift
/// Sample.named("Topics")?.mappings.map(\.name)  // ["Model1ToModel2", …]
/// ```
public struct SampleMapping: Sendable, Hashable {
  public let name: String
  public let text: String
}
