extension RuleCases {
  /// - Parameters:
  ///   - other: A new version that does not break the rule.
  ///   - otherOld: What it is inferred from, where that is not the old version.
  private static func rule(
    _ name: String, _ old: String, _ new: String, near other: String, from otherOld: String? = nil
  ) -> RuleCase {
    let line = "infer V1.xcdatamodel V2.xcdatamodel"
    return RuleCase(
      rule: "inference.\(name)", shown: RuleScene(files: versions(old, new), line: line),
      near: RuleScene(files: versions(otherOld ?? old, other), line: line))
  }

  private static let x = attribute("x")
  private static let many = "\(optional) toMany='YES'"
  private static let derived = "\(optional) derived='YES' derivationExpression='x'"

  private static func related(_ keys: String, _ properties: String = "") -> String {
    entity("A", relationship("r", to: "B", inverse: "a", keys) + properties)
      + entity("B", relationship("a", to: "A", inverse: "r"))
  }

  static let inference: [RuleCase] = [
    rule(
      "ambiguousIdentifier",
      attribute("a", "String", "\(optional) elementID='k'")
        + attribute("b", "String", "\(optional) elementID='k'"),
      attribute("c", "String", "\(optional) elementID='k'"),
      near: attribute("a", "String", "\(optional) elementID='k'")),
    rule(
      "rivalIdentifiers", x,
      attribute("a", "String", "\(optional) elementID='x'")
        + attribute("b", "String", "\(optional) elementID='x'"),
      near: attribute("a", "String", "\(optional) elementID='x'") + attribute("b")),
    rule("incompatibleTypes", x, attribute("x", "Date"), near: x + attribute("y", "Date")),
    rule(
      "mergedHierarchies", entity("A") + entity("B"),
      entity("P") + entity("A", "", "parentEntity='P'") + entity("B", "", "parentEntity='P'"),
      near: entity("P") + entity("A", "", "parentEntity='P'") + entity("B")),
    rule(
      "missingDefault", "", attribute("x", "String", ""),
      near: attribute("x", "String", "defaultValueString='none'")),
    rule(
      "missingDestination", entity("A") + entity("B"),
      entity("A", relationship("r", to: "B", "maxCount='1'")) + entity("B"),
      near: entity("A", relationship("r", to: "B")) + entity("B")),
    rule("newConstraint", x, x + unique, near: x + unique + attribute("y"), from: x + unique),
    rule(
      "becameAbstract", entity("A"), entity("A", x, "isAbstract='YES'"),
      near: entity("A", x, "isAbstract='YES'"), from: entity("A", "", "isAbstract='YES'")),
    rule(
      "narrowedCount", related(many), related("\(optional) maxCount='1'"), near: related(many, x)),
    rule(
      "narrowedNumber", attribute("x", "Integer 64"), attribute("x", "Integer 16"),
      near: attribute("x", "Integer 64"), from: attribute("x", "Integer 16")),
    rule("lostProperty", x, "", near: x + attribute("y", "Date")),
    rule(
      "lostEntity", entity("A") + entity("B"), entity("A"), near: entity("A"),
      from: entity("A") + entity("B", "", "isAbstract='YES'")),
    rule(
      "lostOrder", related("\(many) ordered='YES'"), related(many),
      near: related("\(many) ordered='YES'"), from: related(many)),
    rule(
      "becameTransient", x, attribute("x", "String", "\(optional) transient='YES'"), near: x,
      from: attribute("x", "String", "\(optional) transient='YES'")),
    rule(
      "becameRelationship", entity("A", attribute("r")) + entity("B"),
      entity("A", relationship("r", to: "B")) + entity("B"),
      near: entity("A", attribute("r") + relationship("other", to: "B")) + entity("B")),
    rule(
      "becameAttribute", entity("A", relationship("r", to: "B")) + entity("B"),
      entity("A", attribute("r")) + entity("B"),
      near: entity("A", relationship("r", to: "B") + attribute("other")) + entity("B")),
    rule(
      "retargeted", entity("A", relationship("r", to: "B")) + entity("B") + entity("C"),
      entity("A", relationship("r", to: "C")) + entity("B") + entity("C"),
      near: entity("A", relationship("r", to: "D")) + entity("D", "", "elementID='B'")
        + entity("C")),
    rule(
      "unmatchedRename", attribute("title"), attribute("heading"),
      near: attribute("heading", "String", "\(optional) elementID='title'")),
    rule(
      "unmatchedSplit", attribute("name"), attribute("firstName") + attribute("lastName"),
      near: attribute("firstName")),
    rule(
      "copiedUnchanged", x, attribute("x", "String", "\(optional) versionHashModifier='2'"),
      near: attribute("x", "String", "versionHashModifier='2' defaultValueString=''"),
      from: attribute("x", "String", "\(optional) versionHashModifier='2'")),
    rule(
      "becamePersistent", attribute("x", "String", "\(optional) transient='YES'"), x,
      near: attribute("x", "String", "\(optional) transient='YES'") + attribute("y")),
    rule(
      "notComputed", x, x + attribute("y", "String", derived),
      near: x + attribute("y", "String", derived) + attribute("z"),
      from: x + attribute("y", "String", derived)),
  ]
}
