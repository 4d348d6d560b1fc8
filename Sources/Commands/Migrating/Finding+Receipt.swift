internal import StrataDiagnostics
internal import StrataMapping

extension Finding {
  /// Whether a receipt tells what is lost, with counts.
  var isToldByReceipt: Bool {
    switch inferenceRule {
    case .becameAbstract, .narrowedCount, .narrowedNumber, .lostProperty, .lostEntity, .lostOrder,
      .becameTransient, .becameRelationship, .becameAttribute, .retargeted, .unmatchedRename,
      .unmatchedSplit:
      true
    default: false
    }
  }

  /// Whether a renaming identifier or a mapping model may be missing.
  var isUnmatched: Bool {
    switch inferenceRule {
    case .unmatchedRename, .unmatchedSplit: true
    default: false
    }
  }
}
