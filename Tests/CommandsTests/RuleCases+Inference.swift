extension RuleCases {
  /// - Parameters:
  ///   - other: A new version that does not break the rule.
  ///   - otherOld: What it is inferred from, where that is not the old version.
  static func inferred(
    _ rule: String, _ old: String, _ new: String, near other: String, from otherOld: String? = nil
  ) -> RuleCase {
    let line = "infer V1.xcdatamodel V2.xcdatamodel"
    return RuleCase(
      rule: rule, shown: RuleScene(files: versions(old, new), line: line),
      near: RuleScene(files: versions(otherOld ?? old, other), line: line))
  }

  private static let x = attribute("x")
  private static let derived = "\(optional) derived='YES' derivationExpression='x'"

  static let inference: [RuleCase] = [
    inferred(
      "inference.ambiguousIdentifier",
      attribute("a", "String", "\(optional) elementID='k'")
        + attribute("b", "String", "\(optional) elementID='k'"),
      attribute("c", "String", "\(optional) elementID='k'"),
      near: attribute("a", "String", "\(optional) elementID='k'")),
    inferred(
      "inference.rivalIdentifiers", x,
      attribute("a", "String", "\(optional) elementID='x'")
        + attribute("b", "String", "\(optional) elementID='x'"),
      near: attribute("a", "String", "\(optional) elementID='x'") + attribute("b")),
    inferred(
      "inference.incompatibleTypes", x, attribute("x", "Date"), near: x + attribute("y", "Date")),
    inferred(
      "inference.mergedHierarchies", entity("A") + entity("B"),
      entity("P") + entity("A", "", "parentEntity='P'") + entity("B", "", "parentEntity='P'"),
      near: entity("P") + entity("A", "", "parentEntity='P'") + entity("B")),
    inferred(
      "inference.missingDefault", "", attribute("x", "String", ""),
      near: attribute("x", "String", "defaultValueString='none'")),
    inferred(
      "inference.missingDestination", entity("A") + entity("B"),
      entity("A", relationship("r", to: "B", "maxCount='1'")) + entity("B"),
      near: entity("A", relationship("r", to: "B")) + entity("B")),
    inferred(
      "inference.newConstraint", x, x + unique, near: x + unique + attribute("y"), from: x + unique),
    inferred(
      "inference.unhashedRename", x + attribute("y", "String", derived),
      x + attribute("z", "String", derived),
      near: x + attribute("z", "String", derived) + attribute("a"),
      from: x + attribute("y", "String", derived)),
    inferred(
      "inference.copiedUnchanged", x,
      attribute("x", "String", "\(optional) versionHashModifier='2'"),
      near: attribute("x", "String", "versionHashModifier='2' defaultValueString=''"),
      from: attribute("x", "String", "\(optional) versionHashModifier='2'")),
    inferred(
      "inference.becamePersistent", attribute("x", "String", "\(optional) transient='YES'"), x,
      near: attribute("x", "String", "\(optional) transient='YES'") + attribute("y")),
    inferred(
      "inference.notComputed", x, x + attribute("y", "String", derived),
      near: x + attribute("y", "String", derived) + attribute("z"),
      from: x + attribute("y", "String", derived)),
  ]
}
