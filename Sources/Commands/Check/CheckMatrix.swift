internal import StrataBase
internal import StrataMigration
internal import StrataStore

/// The migrations of stores of shipped versions to the current version, each performed in a private folder, on all
/// cores.
struct CheckMatrix {
  /// One migrated store.
  struct Row: Sendable {
    var bundle: String
    var from: String
    var to: String
    /// The fixture; `nil` for a generated store.
    var store: String?
    var means: String
    var objects = 0
    /// Objects, values and links.
    var lost = 0
    var seconds: Double?
    /// Why the migration stopped, or was not performed.
    var problem: String?
    /// Whether the migration was performed; not if a policy is unknown.
    var performed = true
    /// The policies that are unknown, if there are any.
    var unknownPolicies: [String]?
  }

  enum Store: Sendable {
    /// A generated one, with this number of objects of each concrete entity.
    case generated(rows: Int)
    /// One of the folder; its name is relative to it.
    case fixture(file: String, name: String)

    var name: String? {
      guard case .fixture(_, let name) = self else { return nil }
      return name
    }
  }

  /// One migration to perform.
  struct Migration: Sendable {
    var store: Store
    var path: PathCheck.Path
    var bundle: ProjectState.Bundle
    var policies: PolicyRegistry
    /// The losses that the models tell.
    var toldLosses: Set<PathLoss.Subject>
    /// With what the other losses are compared.
    var comparison: LossComparison

    init(
      _ store: Store, _ path: PathCheck.Path, of checked: CheckedBundle, _ check: PathCheck
    ) {
      (self.store, self.path) = (store, path)
      (bundle, policies) = (checked.bundle, checked.policies)
      (toldLosses, comparison) = (check.toldLosses(on: path), check.comparison(of: path))
    }
  }

  /// The results in the order of the migrations.
  static func results(
    of migrations: [Migration], in session: Session
  ) throws -> [MigrationCheck] {
    // A replayed document has files of its own, which belong to its session.
    guard session.overlay == nil else {
      return try migrations.map { try MigrationCheck($0, in: session) }
    }
    let (folder, isTimed) = (session.folder, session.clock != nil)
    return try ConcurrentMap.map(migrations, reporting: "migrating stores") { migration in
      Result {
        let start = ContinuousClock.now
        var check = try MigrationCheck(migration, in: Session(folder: folder))
        if isTimed { check.row?.seconds = (ContinuousClock.now - start) / .seconds(1) }
        return check
      }
    }.map { try $0.get() }
  }
}

/// A part of the migrations, for one of several jobs of a build server: `2/4` is the second of four.
struct Shard: Sendable, Hashable, LosslessStringConvertible {
  let number: Int
  let count: Int

  static let whole = Shard(number: 1, count: 1)
  private static let limit = 1000

  private init(number: Int, count: Int) { (self.number, self.count) = (number, count) }

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1],
      (1...Self.limit).contains(count), (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  var description: String { "\(number)/\(count)" }

  /// Every element whose turn it is: neighbours, which take about as long, are in different shards.
  func part<Element>(of all: [Element]) -> [Element] {
    stride(from: number - 1, to: all.count, by: count).map { all[$0] }
  }
}
