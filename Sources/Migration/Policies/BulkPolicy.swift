/// What a policy does, as far as SQL can do it in its stead.
struct BulkPolicy {
  /// That of the policy; `nil` where there is none.
  var name: String?
  /// What it does to each object when it is made, besides the default work.
  var verbs: [PolicyScript.Verb] = []
  /// Whether it leaves relationships to the default work.
  var relatesByDefault = true

  /// The attributes that it gives a value in every object.
  var givenNames: Set<String> {
    verbs.reduce(into: []) { names, verb in
      switch verb {
      case .set(let name, _), .join(_, _, let name): names.insert(name)
      default: break
      }
    }
  }
}
