import StrataCommands
import TestSupport
import Testing

@Suite("Policies of named files that do not run")
struct UnusedPolicyTests {
  @Test(
    "a misspelled name or condition is told by each command, the policies of other hops are not",
    arguments: [
      ("policy ChefsToChef\n  set firstName = \"X\"\n", true, "did you mean ChefToChef?"),
      (
        "policy ChefToChef in Recipe1ToRecipes2\n  set firstName = \"X\"\n", true,
        "the policies of the plan are"
      ),
      ("policy ChefToChef\n  set firstName = \"X\"\n", false, ""),
      (
        "policy ChefToChef\n  set firstName = \"X\"\npolicy LaterToLater\n  set firstName = \"Y\"\n",
        false, ""
      ),
      (
        "policy ChefToChef for ChefToChf\n  set firstName = \"X\"\npolicy ChefToChef\n  set firstName = \"Y\"\n",
        true, "did you mean ChefToChef?"
      ),
      (
        "policy ChefToChef for LaterToLater\n  set firstName = \"X\"\npolicy ChefToChef\n  set firstName = \"Y\"\n",
        false, ""
      ),
      (
        "policy ChefToChef from Recipes3\n  set firstName = \"X\"\npolicy ChefToChef\n  set firstName = \"Y\"\n",
        false, ""
      ),
      (
        "policy ChefsToChef\n  set firstName = \"X\"\npolicy RecipeToCuisine\n  skip when $source.cuisine == nil\n",
        true, "ChefToChef"
      ),
    ])
  func unused(text: String, isTold: Bool, advice: String) throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    try folder.write(text, to: "My.policy")
    session("load sample:Recipes")
    session("create k.sqlite --copy sample:Kitchen")
    for command in ["plan", "migrate --dry-run", "debug"] {
      let answer = session("\(command) k.sqlite --to Recipes --policies My.policy")
      #expect(
        answer.diagnostics.contains("[migration.unusedPolicies]") == isTold, "\(command): \(answer)"
      )
      #expect(answer.diagnostics.contains(advice) || !isTold, "\(command): \(answer)")
    }
  }
}
