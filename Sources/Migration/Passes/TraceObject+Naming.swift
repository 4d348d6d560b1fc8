public import StrataStore
public import StrataTraceEvents

extension SourceObject {
  /// What events call it.
  public var traced: TraceObject { TraceObject(entity: entity, key: key) }
}

extension DestinationObject {
  /// What events call it.
  public var traced: TraceObject { TraceObject(entity: entity, key: key) }
}
