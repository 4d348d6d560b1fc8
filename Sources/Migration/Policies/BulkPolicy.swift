/// What a policy does, as far as SQL can do it in its stead.
struct BulkPolicy {
  /// That of the policy; `nil` where there is none.
  var name: String?
  /// What it does to each object when it is made, besides the default work.
  var verbs: [PolicyScript.Verb] = []
  /// Whether it leaves relationships to the default work.
  var relatesByDefault = true
}
