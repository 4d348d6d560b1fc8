internal import StrataBase
package import StrataMigration

/// A receipt as `Tests/Oracle` is told of it.
package struct OracleReceipt: Encodable, Sendable {
  private struct ObjectFate: Encodable {
    var mapping: String
    var source: String?
    var destination: String?
    var read: Int
    var created: Int?
    var joined: Int
    var skipped: Int
    var lost: Int
    var keys: String?

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(mapping, forKey: .mapping)
      try container.encode(source, forKey: .source)
      try container.encode(destination, forKey: .destination)
      try container.encode(read, forKey: .read)
      try container.encode(created, forKey: .created)
      try container.encode(joined, forKey: .joined)
      try container.encode(skipped, forKey: .skipped)
      try container.encode(lost, forKey: .lost)
      try container.encode(keys, forKey: .keys)
    }

    private enum CodingKeys: String, CodingKey {
      case mapping, source, destination, read, created, joined, skipped, lost, keys
    }
  }

  private struct PropertyFate: Encodable {
    var kind: String
    var sources: [String]
    var destinations: [String]
    var before: Int?
    var after: Int?
    var truncated: Int
    var unfitting: Int
    var lost: Int
    var filled: Int
  }

  private var objects: [ObjectFate]
  private var properties: [PropertyFate]

  package init(_ receipt: Receipt) {
    objects = receipt.objects.map {
      ObjectFate(
        mapping: $0.mapping, source: $0.sourceEntity, destination: $0.destinationEntity,
        read: $0.source, created: $0.created, joined: $0.joined, skipped: $0.skipped,
        lost: $0.lost, keys: $0.keys?.rawValue)
    }
    properties = receipt.properties.filter { !$0.isRelationship }.map {
      PropertyFate(
        kind: $0.kind.rawValue, sources: $0.sources.map(\.description),
        destinations: $0.destinations.map(\.description), before: $0.before, after: $0.after,
        truncated: $0.truncated.count, unfitting: $0.unfitting.count, lost: $0.lost.count,
        filled: $0.filled)
    }
  }
}
