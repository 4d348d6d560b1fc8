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
    let lineAndColumn = [line, column].compactMap { $0 }.map(String.init)
    let position: String? =
      switch (file, lineAndColumn.isEmpty) {
      case (let file?, _): ([file] + lineAndColumn).joined(separator: ":")
      case (nil, false): "line " + lineAndColumn.joined(separator: ":")
      case (nil, true): nil
      }
    return [position, element].compactMap { $0 }.joined(separator: ", ")
  }
}

extension Diagnostic {
  /// This diagnostic with an element as its location, unless it already has one.
  package func located(at element: String) -> Diagnostic {
    var located = self
    var newLocation = location ?? Location()
    if newLocation.element == nil { newLocation.element = element }
    located.location = newLocation
    return located
  }

  /// This diagnostic with a file as its location, unless it already has one: a reader of bytes does not know the
  /// file, its caller does.
  package func located(in file: String) -> Diagnostic {
    var located = self
    var newLocation = location ?? Location()
    if newLocation.file == nil { newLocation.file = file }
    located.location = newLocation
    return located
  }
}
