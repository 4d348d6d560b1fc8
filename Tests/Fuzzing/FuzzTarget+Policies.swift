import StrataMapping
import StrataMigration
import StrataObjectModel
import StrataStore

extension FuzzTarget {
  /// A policy file.
  static func readPolicies(_ text: String) throws {
    for policy in try PolicyScript.policies(parsing: text) { _ = policy.revealing }
  }

  /// A policy file that migrates a small store.
  static func migrateByPolicies(_ text: String) throws {
    var policies = PolicyRegistry()
    policies.add(try PolicyScript.policies(parsing: text))
    let (first, small) = (StoreFamily.roads.first, StoreFamily.roads.small.to)
    let mapping = try MappingScript(parsing: policyMapping).mapping(
      from: MatchableModel(first.model), to: MatchableModel(small.model))
    let hop = MigrationPlan.Hop(
      from: first, to: small, parts: [NamedMappingModel(name: "Roads", mapping: mapping)],
      reason: "")
    let folder = SoundFiles.emptyWork()
    SoundFiles.write(StoreFamily.roads.store, to: "\(folder)/roads.sqlite")
    var run = try PassesRun(
      hop, number: 1, of: 1,
      source: StoreReader(SQLiteStore(reading: "\(folder)/roads.sqlite"), model: first.model),
      destination: NewStore(path: "\(folder)/made.sqlite", model: small.model, uuid: "B"),
      policies: policies,
      withoutPolicies: true, executor: .fastest, batchSize: 100)
    try finish(&run)
  }

  private static let policyMapping = String(
    decoding: SoundFiles.bytes("Roads.mapping"), as: UTF8.self)

  /// A stages file: its versions and policies are looked up.
  static func readStages(_ text: String) throws {
    _ = try StageScript(parsing: text).resolved(
      among: topics, policies: registry, folder: "/stages")
  }

  private static let registry: PolicyRegistry = {
    var policies = PolicyRegistry()
    if let scripts = try? PolicyScript.policies(
      parsing: "policy P\n  set presenterName = 'x'\npolicy Q\n  create Topic with content = 'x'")
    {
      policies.add(scripts)
    }
    return policies
  }()
}
