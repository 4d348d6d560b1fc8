/// The effects of a policy that have an SQL equivalent.
struct BulkPolicy {
  /// The name of the policy; `nil` if there is none.
  var name: String?
  /// The actions for each created object, in addition to the default behavior.
  var verbs: [PolicyScript.Verb] = []
  /// The attributes that it may set after the creation.
  var laterAttributes: Set<String> = []
  /// Whether relationships have the default behavior.
  var relatesByDefault = true
}
