internal import StrataArchives
internal import StrataBase

/// An entity that was read from some XML text: models whose files contain the same text share it, and what is
/// computed from it alone.
package final class SharedEntity: Sendable {
  /// The entity, with the lines of a document that begins with it.
  let entity: Entity
  /// The number of XML elements.
  let elementCount: Int
  let traits: EntityTraits
  /// What was computed from the entity alone.
  let memory = ModelMemory()

  /// The deepest nesting of XML elements in an entity; the deepest known one has 3 levels.
  private static let depthLimit = 8

  /// - Returns: `nil` if the entity has to be read with the rest of its document, whose reader reports what is
  ///   wrong or too much.
  init?(reading text: [UInt8]) {
    guard let element = try? MarkupElement(reading: text), element.name == "entity",
      element.depth <= Self.depthLimit, let entity = try? Entity(markup: element)
    else { return nil }
    self.entity = entity
    elementCount = element.elementCount
    traits = EntityTraits(entity)
  }

  /// Whether the hashes of its properties depend on nothing else in a model.
  var hashesAlone: Bool { !traits.hasComposites && !traits.hasOwnInverses }
}
