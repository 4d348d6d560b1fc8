internal import StrataBase
internal import StrataExpressions

/// The stages file that migrates a store through the steps of a ``VersionChain``.
///
/// A conversion that only the app can define is left to be written: until then, the migration stops at the
/// first object with a value, and nothing is lost.
///
/// ```
/// stage lightweight Model1
/// stage custom Model1a -> Model2
///   will: Chef: split name at ' ' into firstName, lastName when name != nil AND firstName == nil
/// ```
package struct StagesText: Sendable, Hashable {
  package let text: String

  /// - Parameters:
  ///   - source: The name of the version of the stores.
  ///   - names: The names of the versions, one for each step.
  package init(_ chain: VersionChain, from source: String, names: [String]) {
    let comments = chain.notKept.map { "# not kept: \(StagedMigrationCode.plain($0.text))\n" }
    guard chain.steps.count > 1 else {
      text =
        comments.joined()
        + "stage lightweight \(([source] + names).joined(separator: ", "))\n"
      return
    }
    var lines = ["stage lightweight \(source)"]
    for (index, step) in chain.steps.enumerated() where index + 1 < names.count {
      lines.append("stage custom \(names[index]) -> \(names[index + 1])")
      for copy in step.copies {
        if let comment = copy.narrowingComment {
          lines.append("  # " + StagedMigrationCode.plain(comment))
        }
        lines.append("  will: " + Self.statement(copy))
      }
    }
    text = comments.joined() + lines.joined(separator: "\n") + "\n"
  }

  private static func key(_ name: String) -> String { Expression.keyPath(of: nil, [name]).text }

  private static func statement(_ copy: VersionChain.Copy) -> String {
    let entity = copy.entity
    switch copy.kind {
    case .objects(let new):
      return
        "\(entity): require FALSEPREDICATE, \"let the app copy each \(entity) to a \(new)\""
    case .values(let values):
      let (old, new) = (key(values.attribute), key(values.newName))
      guard !values.isUnknown else {
        return
          "\(entity): require \(old) == nil OR \(new) != nil, \"before this line, convert \(values.type.name) to \(values.newType.name): \(entity): set \(values.newName) = EXPRESSION\""
      }
      return "\(entity): set \(values.newName) = \(old) when \(new) == nil"
    case .parts(let old, let parts):
      return
        "\(entity): split \(key(old)) at ' ' into \(parts.joined(separator: ", ")) when \(key(old)) != nil AND \(key(parts[0])) == nil"
    case .linked(let link):
      let values = link.attributes.map { "\($0.new) = \(key($0.old))" }
      let present = link.attributes.map { "\(key($0.old)) != nil" }.joined(separator: " OR ")
      let object =
        link.isShared
        ? "find or create \(link.entity) where \(link.attributes[0].new) == \(key(link.attributes[0].old))"
        : "create \(link.entity) with \(values.joined(separator: ", "))"
      return
        "\(entity): set \(link.relationship) = \(object) when \(link.attributes.count > 1 ? "(\(present))" : present) AND \(key(link.relationship)) == nil"
    }
  }
}
