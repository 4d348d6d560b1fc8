public import StrataDiagnostics
public import StrataObjectModel

/// A change that inference refuses, cut into steps that it accepts.
///
/// The first step adds room: attributes of the new types, entities of the new hierarchy, under names that
/// begin with `tmp`. The app copies into it. The last step is the wanted model, whose elements take over
/// what the copies hold by their renaming identifiers; these are not part of any hash.
///
/// ```swift
/// VersionChain(from: first, to: second)?.steps.map(\.purpose)
/// ```
///
/// Source: facts on the demonstrations, section 4.
public struct VersionChain: Sendable, Hashable {
  public struct Step: Sendable, Hashable {
    public var model: ObjectModel
    /// What the app copies once a store is at this step, before it goes on.
    public var copies: [Copy]
  }

  /// Values or objects that the app takes from one place to another.
  public struct Copy: Sendable, Hashable {
    public var entity: String
    /// `nil` where whole objects are copied.
    public var attribute: String?
    public var type: String?
    public var newName: String
    public var newType: String?
  }

  /// Where the steps may fail or lose something besides what the app copies.
  public var warnings: [Finding]

  /// From the first after the source to the one with the destination's hashes.
  public var steps: [Step]
}
