/// A mapping model of a sample, in text form.
///
/// ```swift
/// Sample.named("Topics")?.mappings.map(\.name)  // ["Model1ToModel2", …]
/// ```
package struct SampleMapping: Sendable, Hashable {
  package let name: String
  package let text: String
}
