/// A model under the name that its user gave it.
public struct NamedModel: Sendable, Hashable {
  public var name: String
  public var model: ObjectModel

  public init(name: String, model: ObjectModel) {
    self.name = name
    self.model = model
  }
}
