extension RuleCases {
  /// - Parameters:
  ///   - entities: A model that breaks the rule.
  ///   - other: One that does not.
  private static func rule(_ name: String, _ entities: String, near other: String) -> RuleCase {
    func scene(_ entities: String) -> RuleScene {
      RuleScene(
        files: ["M.xcdatamodel/contents": RuleScene.model(entities)],
        line: "cloudkit M.xcdatamodel")
    }
    return RuleCase(rule: "cloudkit.\(name)", shown: scene(entities), near: scene(other))
  }

  /// - Parameter other: A new version that the deployed schema allows.
  private static func change(
    _ name: String, _ old: String, _ new: String, near other: String
  ) -> RuleCase {
    func scene(_ new: String) -> RuleScene {
      RuleScene(files: versions(old, new), line: "cloudkit V1.xcdatamodel V2.xcdatamodel")
    }
    return RuleCase(rule: "cloudkit.\(name)", shown: scene(new), near: scene(other))
  }

  /// A relationship of A to itself.
  private static func own(_ keys: String) -> String {
    relationship("r", to: "A", inverse: "r", keys)
  }

  private static let one = "\(optional) maxCount='1'"
  private static let many = "\(optional) toMany='YES'"
  private static let x = attribute("x")

  static let cloudKit: [RuleCase] = [
    rule(
      "attributeNeedsDefault", attribute("x", "String", ""),
      near: attribute("x", "String", "defaultValueString='none'")),
    rule("relationshipMustBeOptional", own("maxCount='1'"), near: own(one)),
    rule("relationshipNeedsInverse", relationship("r", to: "A"), near: own(one)),
    rule("noUniquenessConstraints", x + unique, near: x),
    rule("noOrderedRelationships", own("\(many) ordered='YES'"), near: own(many)),
    rule(
      "noDenyRule", own("\(one) deletionRule='Deny'"), near: own("\(one) deletionRule='Cascade'")),
    // No other stored attribute may be without a type.
    rule(
      "noUndefinedAttributes",
      x + attribute("y", "Undefined", "\(optional) derived='YES' derivationExpression='x'"),
      near: x + attribute("y", "String", "\(optional) derived='YES' derivationExpression='x'")),
    rule("noObjectIDAttributes", attribute("x", "ObjectID"), near: attribute("x", "UUID")),
    change("removed", x, "", near: x + attribute("y")),
    change(
      "renamed", x, attribute("y", "String", "\(optional) elementID='x'"), near: x + attribute("y")),
    change("retyped", x, attribute("x", "Date"), near: x + attribute("y", "Date")),
    change("recounted", own(one), own(many), near: own("\(one) deletionRule='Cascade'")),
    change(
      "retargeted", entity("A", relationship("r", to: "B")) + entity("B"),
      entity("A", relationship("r", to: "A")) + entity("B"),
      near: entity("A", relationship("r", to: "B") + relationship("s", to: "A")) + entity("B")),
    change(
      "becameTransient", x, attribute("x", "String", "\(optional) transient='YES'"),
      near: x + attribute("y", "String", "\(optional) transient='YES'")),
  ]
}
