import StrataExpressions
import StrataMapping
import Testing

@Suite("Variables of value expressions")
struct VariableCheckTests {
  /// What is wrong with an expression; `nil` where it can be evaluated.
  private static func problem(
    _ text: String, isRelationship: Bool = false, policy: String? = nil, methods: Set<String>? = nil
  ) throws -> VariableCheck.Problem? {
    let expression = try Expression(parsing: text)
    do throws(VariableCheck.Problem) {
      _ = try VariableCheck(
        isRelationship: isRelationship, policyName: policy, policyMethods: methods
      ).answer(of: expression)
      return nil
    } catch {
      return error
    }
  }

  private static func isAvailable(_ answer: MappingObject.Answer) -> Bool {
    if case .unavailable = answer { false } else { true }
  }

  @Test(
    "documented and supported keys of each variable are evaluated, all others are reported",
    arguments: MappingVariable.allCases)
  func table(variable: MappingVariable) throws {
    let name = "$\(variable.rawValue)"
    guard let object = variable.object else {
      #expect(try Self.problem("\(name).title", isRelationship: true) == nil)
      #expect(try (Self.problem("\(name).title") == nil) == (variable == .source))
      return
    }
    for (key, answer) in object.keys {
      for form in [
        "\(name).\(key)", "FUNCTION(\(name), '\(key)')",
        "FUNCTION(\(name), 'valueForKey:', '\(key)')",
      ] {
        #expect(try (Self.problem(form) == nil) == Self.isAvailable(answer), "\(form)")
      }
    }
    for (selector, answer) in object.functions {
      let arguments = selector.filter { $0 == ":" }.map { _ in ", 1" }.joined()
      let form = "FUNCTION(\(name), '\(selector)'\(arguments))"
      let problem = try Self.problem(form, policy: "P")
      #expect((problem == nil) == Self.isAvailable(answer), "\(form)")
      #expect(
        try Self.problem("FUNCTION(\(name), '\(selector)')") != nil || !selector.contains(":"))
    }
    for form in [
      "\(name).nonsense", "FUNCTION(\(name), 'nonsense')", "FUNCTION(\(name), 'non:sense:', 1, 2)",
    ] {
      let problem = try #require(try Self.problem(form))
      #expect(!problem.what.isEmpty && !problem.fix.isEmpty)
      // A policy may have any method; which it has is known from its file.
      let ofPolicy = try Self.problem(form, policy: "P", methods: nil)
      #expect((ofPolicy == nil) == (variable == .entityPolicy), "\(form)")
    }
  }

  @Test("a policy's methods are known by their selectors")
  func methods() throws {
    let call = "FUNCTION($entityPolicy, 'join:with:', $source.a, $source.b)"
    #expect(try Self.problem(call, policy: "P", methods: ["join:with:"]) == nil)
    let missing = try #require(try Self.problem(call, policy: "P", methods: []))
    #expect(missing.what == "the policy P has no method join:with:")
    #expect(missing.fix.contains("method join:$a with:$b = EXPRESSION"))
    let near = try #require(try Self.problem(call, policy: "P", methods: ["join:wiht:"]))
    #expect(near.fix.contains("join:wiht:"))
    #expect(try Self.problem(call)?.what.contains("no policy") == true)
  }

  @Test(
    "errors are found in every part of an expression",
    arguments: [
      "{1, $manager.sourceContext}", "TERNARY($manager.nonsense == 1, 1, 2)",
      "TERNARY(1 == 1, 1, $manager.sourceContext)", "add:to:(1, $manager.migrationProgress)",
      "SUBQUERY($source.tags, $t, $t.name == $entityMapping.nonsense).@count",
      "$entityMapping.name.nonsense", "$manager.mappingModel.entityMappings.nonsense",
      "FUNCTION($manager, 'sourceEntityForEntityMapping:', $entityMapping).nonsense",
    ])
  func parts(text: String) throws {
    #expect(try Self.problem(text) != nil)
  }
}
