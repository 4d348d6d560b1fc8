extension RuleCases {
  private static let source =
    entity("Parent", attribute("name"))
    + entity(
      "Child",
      attribute("age", "Integer 16") + relationship("home", to: "Home", inverse: "children"),
      "parentEntity='Parent'")
    + entity(
      "Home",
      attribute("street")
        + relationship("children", to: "Child", inverse: "home", "\(optional) toMany='YES'"))
  private static let destination = source.replacing(
    attribute("street"), with: attribute("street", "String", ""))

  /// A mapping model without a fault.
  private static let whole = """
    ParentToParent: Parent -> Parent
    ChildToChild: Child -> Child
    HomeToHome: Home -> Home
      street = 'none'

    """

  private static func lint(_ text: String, _ new: String = destination) -> RuleScene {
    RuleScene(
      files: versions(source, new).merging(["M.mapping": text]) { $1 },
      line: "mapping lint M.mapping --from V1.xcdatamodel --to V2.xcdatamodel")
  }

  /// A compiled mapping model, which knows hashes and nothing of what was left out on purpose.
  private static func compiled(_ text: String, for models: String) -> RuleScene {
    var scene = lint(text)
    scene.commands = [
      "mapping write M.mapping M.xcmappingmodel --from V1.xcdatamodel --to V2.xcdatamodel"
    ]
    scene.line = "mapping lint M.xcmappingmodel \(models)"
    return scene
  }

  /// - Parameters:
  ///   - line: The line that shows the rule in place of one of the whole mapping model.
  ///   - near: The one that does not.
  private static func rule(
    _ name: String, _ part: String, _ line: String, near: String? = nil
  ) -> RuleCase {
    RuleCase(
      rule: "mapping.\(name)", shown: lint(whole.replacing(part, with: line)),
      near: lint(whole.replacing(part, with: near ?? part)))
  }

  private static let street = "street = 'none'"
  private static let child = "ChildToChild: Child -> Child"
  private static let halves = """
    where street BEGINSWITH 'a'
      street = 'none'
    OtherHomes: Home -> Home
      street = 'x'
      where
    """

  static let mapping: [RuleCase] = [
    rule("unknownSource", "Home -> Home", "Hom -> Home"),
    rule("unknownDestination", "Home -> Home", "Home -> Hom"),
    RuleCase(
      rule: "mapping.staleHash",
      shown: compiled(whole, for: "--from V2.xcdatamodel --to V2.xcdatamodel"),
      near: compiled(whole, for: "--from V1.xcdatamodel --to V2.xcdatamodel")),
    rule("unmappedSource", "HomeToHome: Home -> Home\n  street = 'none'", ""),
    RuleCase(
      rule: "mapping.unmappedDestination",
      shown: lint(whole, destination + entity("Pet")),
      near: lint(whole + "Pets: -> Pet\n", destination + entity("Pet"))),
    rule(
      "unknownProperty", street, "\(street)\n  strete = 'none'",
      near: "\(street)\n  children <- $source.children through ChildToChild"),
    rule("wrongList", street, "street <- $source"),
    RuleCase(
      rule: "mapping.missingProperty",
      shown: compiled(
        whole.replacing(child, with: "\(child)\n  omit age"),
        for: "--from V1.xcdatamodel --to V2.xcdatamodel"),
      near: lint(whole.replacing(child, with: "\(child)\n  omit age"))),
    rule("missingValue", street, "street = default"),
    rule(
      "mayBeMissing", street, "street = $source.street",
      near: "where street != nil\n  street = $source.street"),
    rule(
      "notThrough", street, "\(street)\n  children <- $source.children",
      near: "\(street)\n  children <- $source.children through ChildToChild"),
    rule("withoutSource", street, "street = source.street", near: "street = $source.street"),
    rule(
      "leftBehind", child, "\(child)\n  age = default", near: "\(child)\n  age = $source.age"),
    rule("badExpression", street, "street = $source.stret", near: "street = $source.street"),
    rule("unfitting", street, "street = 5", near: "street = '5'"),
    rule(
      "severalForOne", child,
      "\(child)\n  home <- $source.home.children.home through HomeToHome",
      near: "\(child)\n  home <- $source.home through HomeToHome"),
    rule(
      "decidedByPolicy", street, "policy P\n  street = 5", near: "policy P\n  street = '5'"),
    rule(
      "unknownMapping", street, "\(street)\n  children <- $source.children through ChildToChil",
      near: "\(street)\n  children <- $source.children through ChildToChild"),
    rule(
      "wrongMapping", street, "\(street)\n  children <- $source.children through HomeToHome",
      near: "\(street)\n  children <- $source.children through ChildToChild"),
    rule(
      "wrongSources", street, "\(street)\n  children <- $source through ChildToChild",
      near: "\(street)\n  children <- $source.children through ChildToChild"),
    rule(
      "badFilter", street, "\(street)\n  where stret == 'a'",
      near: "\(street)\n  where street == 'a'"),
    rule(
      "customSource", street, "\(street)\n  objects {}",
      near:
        "\(street)\n  objects FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Home', 'TRUEPREDICATE'), $manager.sourceContext, NO)"
    ),
    rule(
      "gap", street, "\(street)\n  where street BEGINSWITH 'a'",
      near: "\(halves) street == nil OR NOT street BEGINSWITH 'a'"),
    rule(
      "diverted", child, "\(child)\n  where age < 18\nChildToParent: Child -> Parent",
      near: "\(child)\nChildToParent: Child -> Parent"),
    rule(
      "overlap", street, "\(halves) street == nil OR street BEGINSWITH 'a'",
      near: "\(halves) street == nil OR NOT street BEGINSWITH 'a'"),
  ]
}
