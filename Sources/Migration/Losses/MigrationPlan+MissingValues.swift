package import StrataBase
internal import StrataMapping
internal import StrataObjectModel
package import StrataSQLite
package import StrataStore

extension MigrationPlan.Hop {
  /// Whether objects without a required value can stop the inferred migration.
  package var mayLackValues: Bool {
    risks.contains { if case .missingDefault? = $0.rule as? InferenceRule { true } else { false } }
  }

  /// What stops the migration of a store, as far as it is known before.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  package func obstacles(in reader: borrowing StoreReader) throws(StoreError) -> [Finding] {
    try duplicates(in: reader) + missingValues(in: reader)
  }

  /// The required attributes for which objects of a store have neither a value nor a default value, or a number that is
  /// out of range, each with the number of these objects: they stop the migration.
  ///
  /// Only what is inferred, without steps of a stage that could give values, is known before the migration.
  ///
  /// - Throws: ``StoreError`` if the store cannot be read.
  func missingValues(in reader: borrowing StoreReader) throws(StoreError) -> [Finding] {
    guard isInferred, stage == nil else { return [] }
    var findings: [Finding] = []
    for risk in risks {
      guard case .missingDefault(let isNew)? = risk.rule as? InferenceRule,
        let property = risk.property
      else { continue }
      let family = Set(to.model.familyNames(of: risk.entity))
      var affected = Receipt.Affected()
      for mapping in entityMappings {
        guard let source = mapping.sourceName, let destination = mapping.destinationName,
          family.contains(destination), to.model[destination]?.isAbstract == false
        else { continue }
        let old = copies(of: source).first {
          $0.entity == destination && $0.new.name == property
        }
        // Of one that some objects had, it is another risk.
        guard isNew == (old == nil) else { continue }
        let keys =
          if let old {
            try reader.keys(of: source, without: old.old.name)
          } else {
            try reader.keys(of: source)
          }
        affected.add(Receipt.Affected(count: keys.count, keys: keys))
      }
      guard affected.count > 0 else { continue }
      findings.append(
        Finding(
          risk.rule, severity: .error, at: risk.location,
          evidence: FindingEvidence(
            count: affected.count, unit: .object, keys: affected.keys)))
    }
    return findings + (try unfitNumbers(in: reader))
  }

  /// The numbers that have no place in a required attribute: they become nil.
  private func unfitNumbers(in reader: borrowing StoreReader) throws(StoreError) -> [Finding] {
    var findings: [Finding] = []
    for source in from.model.entityNames {
      for (old, new, destination) in copies(of: source)
      where !new.isOptional && !new.hasDefault && old.type.isNumber && new.type.isNumber
        && !new.type.holds(old.type)
      {
        for (rule, evidence) in try reader.losses(of: old.name, in: source, as: new.type) {
          guard case .outOfRange = rule, new.type != .boolean, evidence.count ?? 0 > 0 else {
            continue
          }
          var evidence = evidence
          evidence.unit = .object
          findings.append(
            Finding(
              ValidationRule.missing, severity: .error,
              at: FindingLocation(entity: destination, property: new.name),
              fixes: [
                Fix(
                  "give these objects a number in the range of \(new.type.name), or keep \(old.type.name)"
                )
              ],
              evidence: evidence))
        }
      }
    }
    return findings
  }
}
