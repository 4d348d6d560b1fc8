public import StrataBase
public import StrataStore

extension SourceObject {
  /// What events call it.
  public var traced: ObjectRef { ObjectRef(entity: entity, key: key) }
}

extension DestinationObject {
  /// What events call it.
  public var traced: ObjectRef { ObjectRef(entity: entity, key: key) }
}
