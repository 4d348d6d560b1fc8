import StrataBase
package import StrataObjectModel
import StrataStore

/// A store with one relationship of each kind, to be damaged: beings (abstract, with persons and robots
/// below) with a unique name, pets in order, groups of members in order, friends (its own inverse), a passport
/// each, and a favourite thing and toys without an inverse.
///
/// Persons are p1 and p3, a robot is p2; pets p1 and p2 are of p1; both groups have p1 and p2; p1 and p2 are
/// friends; thing p1 is the favourite of p1, thing p2 its toy.
package enum BeingStore {
  package static func model() throws -> ObjectModel {
    func relationship(
      _ name: String, _ destination: String, _ inverse: String?, toMany: Bool = false,
      ordered: Bool = false
    ) -> Relationship {
      var found = Relationship(
        name: name, destinationName: destination, isOptional: true, isToMany: toMany)
      found.inverseName = inverse
      found.isOrdered = ordered
      return found
    }
    var being = Entity(name: "Being")
    being.isAbstract = true
    being.attributes = [
      Attribute(name: "name", type: .string, isOptional: true),
      Attribute(name: "level", type: .integer32, defaultValue: "3"),
      Attribute(name: "weight", type: .double),
      Attribute(name: "rating", type: .decimal),
      Attribute(name: "year", type: .integer16),
      Attribute(name: "photo", type: .binary, isOptional: true),
    ]
    being.attributes[5].allowsExternalBinaryStorage = true
    being.uniquenessConstraints = [["name"]]
    being.relationships = [
      relationship("pets", "Pet", "keeper", toMany: true, ordered: true),
      relationship("groups", "Group", "members", toMany: true),
      relationship("passport", "Passport", "owner"),
      relationship("favourite", "Thing", nil),
      relationship("friends", "Being", "friends", toMany: true),
      relationship("toys", "Thing", nil, toMany: true),
    ]
    var group = Entity(name: "Group")
    group.relationships = [
      relationship("members", "Being", "groups", toMany: true, ordered: true)
    ]
    var passport = Entity(name: "Passport")
    passport.relationships = [relationship("owner", "Being", "passport")]
    var pet = Entity(name: "Pet")
    pet.relationships = [relationship("keeper", "Being", "pets")]
    return try ObjectModel(
      ModelDocument(entities: [
        being, Entity(name: "Person", superentityName: "Being"),
        Entity(name: "Robot", superentityName: "Being"), group, passport, pet,
        Entity(name: "Thing"),
      ]))
  }

  package static func make(at path: String) throws {
    let model = try model()
    var store = try NewStore(
      path: path, model: model, uuid: "AAAAAAAA-0000-4000-8000-000000000002")
    func link(_ name: String, _ entity: String) throws -> Declared<Relationship> {
      guard let found = model.relationship(name, of: entity) else {
        throw StoreFixture.Failure(message: name)
      }
      return found
    }
    var beings: [Int64] = []
    for (entity, name) in [("Person", "Ada"), ("Robot", "Bolt"), ("Person", "Cleo")] {
      beings.append(
        try store.insert(
          entity,
          attributes: [
            "name": .text(name), "level": .integer(1), "weight": .real(1.5), "rating": .real(2.5),
            "year": .integer(1999),
          ]
        ).key)
    }
    let pets = try (0..<3).map { _ in try store.insert("Pet", attributes: [:]).key }
    let groups = try (0..<2).map { _ in try store.insert("Group", attributes: [:]).key }
    let passport = try store.insert("Passport", attributes: [:]).key
    let things = try (0..<2).map { _ in try store.insert("Thing", attributes: [:]).key }
    try store.connect(link("pets", "Being"), of: beings[0], to: [pets[0], pets[1]])
    for group in groups {
      try store.connect(link("members", "Group"), of: group, to: [beings[0], beings[1]])
    }
    try store.connect(link("passport", "Being"), of: beings[0], to: [passport])
    try store.connect(link("owner", "Passport"), of: passport, to: [beings[0]])
    try store.connect(link("favourite", "Being"), of: beings[0], to: [things[0]])
    try store.connect(link("friends", "Being"), of: beings[0], to: [beings[1]])
    try store.connect(link("toys", "Being"), of: beings[0], to: [things[1]])
    try store.finish()
  }
}
