/// A location: a file, a line and column in it, and the element of a model or store.
///
/// ```swift
/// Location(file: "Model.xcdatamodel/contents", line: 12, element: "Topic.content").description
/// // "Model.xcdatamodel/contents:12, Topic.content"
/// ```
package struct Location: Sendable, Hashable, CustomStringConvertible {
  package var file: String?
  package var line: Int?
  package var column: Int?
  /// An entity, a property (`Topic.content`), a table, an entity mapping …
  package var element: String?

  package init(
    file: String? = nil, line: Int? = nil, column: Int? = nil, element: String? = nil
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.element = element
  }

  package var description: String {
    let place = [line, column].compactMap { $0 }.map(String.init)
    let position: String? =
      switch (file, place.isEmpty) {
      case (let file?, _): ([file] + place).joined(separator: ":")
      case (nil, false): "line " + place.joined(separator: ":")
      case (nil, true): nil
      }
    return [position, element].compactMap { $0 }.joined(separator: ", ")
  }
}

extension Diagnostic {
  /// This diagnostic with an element as its location, unless it already has one.
  package func located(at element: String) -> Diagnostic {
    var located = self
    var place = location ?? Location()
    if place.element == nil { place.element = element }
    located.location = place
    return located
  }

  /// This diagnostic with a file as its location, unless it already has one: a reader of bytes does not know the
  /// file, its caller does.
  package func located(in file: String) -> Diagnostic {
    var located = self
    var place = location ?? Location()
    if place.file == nil { place.file = file }
    located.location = place
    return located
  }
}
