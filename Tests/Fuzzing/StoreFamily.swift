import StrataMigration
import StrataObjectModel

/// A small store, its model, and the hops to two versions that follow it: `FAMILIES` of Tests/Torture.
struct StoreFamily {
  let store: [UInt8]
  let first: NamedModel
  /// Tables are altered.
  let small: MigrationPlan.Hop
  /// Every entity gets another number.
  let large: MigrationPlan.Hop

  static let roads = StoreFamily("roads")
  static let all = [roads, StoreFamily("tags"), StoreFamily("owners")]

  private init(_ name: String) {
    let first = SoundFiles.model("\(name)/First")
    func hop(to version: String) -> MigrationPlan.Hop {
      do {
        let target = SoundFiles.model("\(name)/\(version)")
        return try MigrationPlanner().plan(from: first, to: target).hops[0]
      } catch {
        fatalError("\(version) of \(name) is not planned: \(error)")
      }
    }
    store = SoundFiles.bytes("\(name)/store.sqlite")
    self.first = first
    (small, large) = (hop(to: "Small"), hop(to: "Large"))
  }
}
