public import StrataObjectModel

/// Something loaded under a name.
public struct LoadedItem: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case bundle(ModelBundle)
    /// A single model version.
    case model(ModelVersion)
    /// A store, by its path; it is opened anew for each question.
    case store(String)
  }

  public var name: String
  public var kind: Kind
}
