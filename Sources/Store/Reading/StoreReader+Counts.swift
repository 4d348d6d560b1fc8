internal import StrataBase
internal import StrataObjectModel
package import StrataSQLite

extension StoreReader {
  /// The number of objects of each concrete entity itself, by name.
  package func counts() throws(StoreError) -> [(entity: String, count: Int?)] {
    var counts: [(entity: String, count: Int?)] = []
    for entity in model.entities where !entity.isAbstract {
      counts.append((entity.name, try count(of: entity.name)))
    }
    return counts
  }
}
