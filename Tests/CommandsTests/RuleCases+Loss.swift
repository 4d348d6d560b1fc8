extension RuleCases {
  private static let x = attribute("x")
  private static let many = "\(optional) toMany='YES'"

  private static func related(_ keys: String, _ properties: String = "") -> String {
    entity("A", relationship("r", to: "B", inverse: "a", keys) + properties)
      + entity("B", relationship("a", to: "A", inverse: "r"))
  }

  /// Two parts of a mapping model.
  private static func parts(_ first: String, _ second: String) -> RuleScene {
    let model = related(many) + entity("C")
    return RuleScene(
      files: versions(model, model).merging(["M.mapping": first, "N.mapping": second]) { $1 },
      line: "mapping lint M.mapping N.mapping --from V1.xcdatamodel --to V2.xcdatamodel")
  }

  static let loss: [RuleCase] = [
    inferred(
      "loss.becameAbstract", entity("A"), entity("A", x, "isAbstract='YES'"),
      near: entity("A", x, "isAbstract='YES'"), from: entity("A", "", "isAbstract='YES'")),
    inferred(
      "loss.narrowed", related(many), related("\(optional) maxCount='1'"),
      near: related(many, x)),
    inferred(
      "loss.exclusive", entity("A", relationship("r", to: "B")) + entity("B"),
      entity("A", relationship("r", to: "B", many)) + entity("B"),
      near: related("\(optional) maxCount='1'"),
      from: related("\(optional) maxCount='1'")),
    inferred(
      "loss.ownInverse", entity("A", relationship("r", to: "A")),
      entity("A", relationship("r", to: "A", inverse: "r")),
      near: entity("A", relationship("r", to: "A", inverse: "r") + x),
      from: entity("A", relationship("r", to: "A", inverse: "r"))),
    inferred(
      "loss.overruled",
      entity("A", relationship("r", to: "B")) + entity("B", relationship("s", to: "A")),
      entity("A", relationship("r", to: "B", inverse: "s"))
        + entity("B", relationship("s", to: "A", inverse: "r")),
      near: entity("A", relationship("r", to: "B") + x) + entity("B", relationship("s", to: "A")),
      from: entity("A", relationship("r", to: "B")) + entity("B", relationship("s", to: "A"))),
    inferred(
      "loss.narrowerDestination",
      entity("A", relationship("r", to: "B")) + entity("B") + entity("C", x, "parentEntity='B'"),
      entity("A", relationship("r", to: "B")) + entity("B") + entity("C", x),
      near: entity("A", relationship("r", to: "B") + x) + entity("B")
        + entity("C", x, "parentEntity='B'")),
    inferred(
      "loss.narrowedNumber", attribute("x", "Integer 64"), attribute("x", "Integer 16"),
      near: attribute("x", "Integer 64"), from: attribute("x", "Integer 16")),
    inferred("loss.removed", x, "", near: x + attribute("y", "Date")),
    inferred(
      "loss.removedEntity", entity("A") + entity("B"), entity("A"), near: entity("A"),
      from: entity("A") + entity("B", "", "isAbstract='YES'")),
    inferred(
      "loss.unordered", related("\(many) ordered='YES'"), related(many),
      near: related("\(many) ordered='YES'"), from: related(many)),
    inferred(
      "loss.becameTransient", x, attribute("x", "String", "\(optional) transient='YES'"),
      near: x,
      from: attribute("x", "String", "\(optional) transient='YES'")),
    inferred(
      "loss.becameRelationship", entity("A", attribute("r")) + entity("B"),
      entity("A", relationship("r", to: "B")) + entity("B"),
      near: entity("A", attribute("r") + relationship("other", to: "B")) + entity("B")),
    inferred(
      "loss.becameAttribute", entity("A", relationship("r", to: "B")) + entity("B"),
      entity("A", attribute("r")) + entity("B"),
      near: entity("A", relationship("r", to: "B") + attribute("other")) + entity("B")),
    inferred(
      "loss.retargeted", entity("A", relationship("r", to: "B")) + entity("B") + entity("C"),
      entity("A", relationship("r", to: "C")) + entity("B") + entity("C"),
      near: entity("A", relationship("r", to: "D")) + entity("D", "", "elementID='B'")
        + entity("C")),
    RuleCase(
      rule: "loss.acrossParts", shown: parts("A: A -> A\n", "B: B -> B\nC: C -> C\n"),
      near: parts("A: A -> A\nB: B -> B\n", "C: C -> C\n")),
    inferred(
      "loss.unmatchedRename", attribute("title"), attribute("heading"),
      near: attribute("heading", "String", "\(optional) elementID='title'")),
    inferred(
      "loss.unmatchedSplit", attribute("name"), attribute("firstName") + attribute("lastName"),
      near: attribute("firstName")),
  ]
}
