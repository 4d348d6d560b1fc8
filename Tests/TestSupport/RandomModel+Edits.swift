package import StrataBase
package import StrataObjectModel

extension RandomModel {
  /// A model after random edits: what a developer might do to the next version, and worse.
  ///
  /// Edits that leave no model that holds together are taken back.
  ///
  /// - Parameter features: Whatever of these a model has may change too.
  package static func edited(
    _ model: ObjectModel, edits: Int, features: Features = [], using random: inout SeededRandom
  ) throws -> ObjectModel {
    var current = model
    for number in 0..<edits {
      var document = current.document
      if !features.isEmpty, Bool.random(using: &random) {
        change(&document, features, number: number, using: &random)
        current = (try? ObjectModel(document)) ?? current
        continue
      }
      guard let edit = randomEdit(of: current, number: number, using: &random),
        (try? document.apply(edit)) != nil
      else { continue }
      if !features.isEmpty { forgetBrokenDerivations(&document) }
      guard let next = try? ObjectModel(document) else { continue }
      current = next
    }
    return current
  }

  private static func randomEdit(
    of model: ObjectModel, number: Int, using random: inout SeededRandom
  ) -> ModelEdit? {
    guard let entity = model.entities.randomElement(using: &random) else { return nil }
    let names = model.entityNames
    let attribute = entity.attributes.randomElement(using: &random)
    let relationship = entity.relationships.randomElement(using: &random)
    let types: [AttributeType] = [
      .integer16, .integer64, .double, .boolean, .string, .date, .binary,
    ]
    switch Int.random(in: 0..<12, using: &random) {
    case 0: return .rename(.entity(entity.name), to: "\(entity.name)New\(number)")
    case 1:
      return attribute.map {
        .rename(.property($0.name, of: entity.name), to: "\($0.name)New\(number)")
      }
    case 2:
      return relationship.map {
        .rename(.property($0.name, of: entity.name), to: "\($0.name)New\(number)")
      }
    case 3, 4:
      let type = types.randomElement(using: &random) ?? .string
      return attribute.map {
        .set(.property($0.name, of: entity.name), key: "attributeType", value: type.name)
      }
    case 5:
      return .add(
        .attribute, named: "added\(number)", to: .entity(entity.name),
        keys: ["attributeType": "String", "optional": "YES"])
    case 6: return .add(.entity, named: "Added\(number)", to: .model, keys: [:])
    case 7: return .remove(.entity(entity.name))
    case 8: return attribute.map { .remove(.property($0.name, of: entity.name)) }
    case 9:
      return .set(
        .entity(entity.name), key: "parentEntity",
        value: Bool.random(using: &random) ? nil : names.randomElement(using: &random))
    case 10:
      // An identifier that may lead anywhere.
      let other = entity.attributes.randomElement(using: &random)?.name ?? "nowhere"
      return attribute.map {
        .set(.property($0.name, of: entity.name), key: "elementID", value: other)
      }
    default:
      return .set(
        .entity(entity.name), key: "elementID", value: names.randomElement(using: &random))
    }
  }
}
