extension RuleCases {
  private static let x = attribute("x")
  private static let many = "\(optional) toMany='YES'"

  private static func related(_ keys: String, _ properties: String = "") -> String {
    entity("A", relationship("r", to: "B", inverse: "a", keys) + properties)
      + entity("B", relationship("a", to: "A", inverse: "r"))
  }

  static let loss: [RuleCase] = [
    inferred(
      "inference.becameAbstract", entity("A"), entity("A", x, "isAbstract='YES'"),
      near: entity("A", x, "isAbstract='YES'"), from: entity("A", "", "isAbstract='YES'")),
    inferred(
      "inference.narrowedCount", related(many), related("\(optional) maxCount='1'"),
      near: related(many, x)),
    inferred(
      "inference.narrowedNumber", attribute("x", "Integer 64"), attribute("x", "Integer 16"),
      near: attribute("x", "Integer 64"), from: attribute("x", "Integer 16")),
    inferred("inference.lostProperty", x, "", near: x + attribute("y", "Date")),
    inferred(
      "inference.lostEntity", entity("A") + entity("B"), entity("A"), near: entity("A"),
      from: entity("A") + entity("B", "", "isAbstract='YES'")),
    inferred(
      "inference.lostOrder", related("\(many) ordered='YES'"), related(many),
      near: related("\(many) ordered='YES'"), from: related(many)),
    inferred(
      "inference.becameTransient", x, attribute("x", "String", "\(optional) transient='YES'"),
      near: x,
      from: attribute("x", "String", "\(optional) transient='YES'")),
    inferred(
      "inference.becameRelationship", entity("A", attribute("r")) + entity("B"),
      entity("A", relationship("r", to: "B")) + entity("B"),
      near: entity("A", attribute("r") + relationship("other", to: "B")) + entity("B")),
    inferred(
      "inference.becameAttribute", entity("A", relationship("r", to: "B")) + entity("B"),
      entity("A", attribute("r")) + entity("B"),
      near: entity("A", relationship("r", to: "B") + attribute("other")) + entity("B")),
    inferred(
      "inference.retargeted", entity("A", relationship("r", to: "B")) + entity("B") + entity("C"),
      entity("A", relationship("r", to: "C")) + entity("B") + entity("C"),
      near: entity("A", relationship("r", to: "D")) + entity("D", "", "elementID='B'")
        + entity("C")),
    inferred(
      "inference.unmatchedRename", attribute("title"), attribute("heading"),
      near: attribute("heading", "String", "\(optional) elementID='title'")),
    inferred(
      "inference.unmatchedSplit", attribute("name"), attribute("firstName") + attribute("lastName"),
      near: attribute("firstName")),
  ]
}
