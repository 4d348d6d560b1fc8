package import StrataBase
package import StrataObjectModel

extension RandomModel {
  /// The model's next version, as a developer would make it: nearly all of these changes can be inferred.
  ///
  /// - Parameter features: Whatever of these a model has may change too.
  package static func nextVersion(
    of model: ObjectModel, edits: Int, features: Features = [], using random: inout SeededRandom
  ) throws -> ObjectModel {
    var current = model
    for number in 0..<edits {
      var document = current.document
      if !features.isEmpty, Int.random(in: 0..<3, using: &random) > 0 {
        change(&document, features, number: number, using: &random)
        current = (try? ObjectModel(document)) ?? current
        continue
      }
      var isDone = true
      for edit in change(of: current, number: number, using: &random) {
        isDone = isDone && (try? document.apply(edit)) != nil
      }
      if !features.isEmpty { forgetBrokenDerivations(&document) }
      guard isDone, let next = try? ObjectModel(document) else { continue }
      current = next
    }
    return current
  }

  private static func change(
    of model: ObjectModel, number: Int, using random: inout SeededRandom
  ) -> [ModelEdit] {
    guard let entity = model.entities.randomElement(using: &random) else { return [] }
    func property(_ name: String) -> ModelEdit.Target { .property(name, of: entity.name) }
    let numbers: [AttributeType] = [
      .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean,
    ]
    let attribute = entity.attributes.randomElement(using: &random)
    let relationship = entity.relationships.randomElement(using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0:
      return [
        .add(
          .attribute, named: "added\(number)", to: .entity(entity.name),
          keys: ["attributeType": "Integer 32", "defaultValueString": "7"])
      ]
    case 1:
      return [
        .add(
          .attribute, named: "free\(number)", to: .entity(entity.name),
          keys: ["attributeType": "String", "optional": "YES", "defaultValueString": "it's"])
      ]
    case 2:
      guard let found = entity.attributes.first(where: { numbers.contains($0.type) }) else {
        return []
      }
      let type = numbers.randomElement(using: &random) ?? .double
      return [.set(property(found.name), key: "attributeType", value: type.name)]
    case 3:
      guard let attribute else { return [] }
      return [
        .set(property(attribute.name), key: "optional", value: attribute.isOptional ? nil : "YES"),
        .set(
          property(attribute.name), key: "defaultValueString",
          value: numbers.contains(attribute.type) ? "3" : nil),
      ]
    case 4:
      return attribute.map { [.rename(property($0.name), to: "\($0.name)Next\(number)")] } ?? []
    case 5: return [.rename(.entity(entity.name), to: "\(entity.name)Next\(number)")]
    case 6:
      guard let relationship, relationship.isToMany else { return [] }
      return [
        .set(
          property(relationship.name), key: "ordered", value: relationship.isOrdered ? nil : "YES")
      ]
    case 7:
      // Without an inverse an object has one owner alone: which of several, no rule says.
      guard let relationship, !relationship.isToMany, relationship.inverseName != nil else {
        return []
      }
      return [.set(property(relationship.name), key: "toMany", value: "YES")]
    case 8:
      return relationship.map { [.rename(property($0.name), to: "\($0.name)Next\(number)")] } ?? []
    case 9: return attribute.map { [.remove(property($0.name))] } ?? []
    case 10: return [.add(.entity, named: "A\(number)", to: .model, keys: [:])]
    case 11:
      return [.add(.entity, named: "F\(number)", to: .model, keys: ["parentEntity": entity.name])]
    case 12:
      // A new parent takes an attribute up.
      guard entity.superentityName == nil, let attribute else { return [] }
      return [
        .add(.entity, named: "Base\(number)", to: .model, keys: [:]),
        .add(
          .attribute, named: attribute.name, to: .entity("Base\(number)"),
          keys: [
            "attributeType": attribute.type.name, "optional": attribute.isOptional ? "YES" : "NO",
          ]),
        .remove(property(attribute.name)),
        .set(.entity(entity.name), key: "parentEntity", value: "Base\(number)"),
      ]
    case 13: return [.set(.entity(entity.name), key: "versionHashModifier", value: "v\(number)")]
    case 14: return [.remove(.entity(entity.name))]
    default:
      guard let attribute, attribute.type == .binary else { return [] }
      return [
        .set(
          property(attribute.name), key: "allowsExternalBinaryDataStorage",
          value: attribute.allowsExternalBinaryStorage ? nil : "YES")
      ]
    }
  }
}
