internal import StrataStore
internal import StrataTraceEvents

extension TraceStatement {
  /// With the entity whose table it asks first.
  func naming(_ layout: StoreLayout) -> TraceStatement {
    guard isFetch, let from = sql.firstRange(of: "FROM ") else { return self }
    let name = sql[from.upperBound...].drop { $0 == "\"" }.prefix { $0 != " " && $0 != "\"" }
    var named = self
    named.entity = layout.tables.first { $0.name == name }?.rootEntity
    return named
  }
}
