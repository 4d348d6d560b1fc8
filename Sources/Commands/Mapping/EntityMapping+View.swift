internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering
internal import StrataValues

extension EntityMapping {
  /// The mapping with what becomes of each property that is not simply copied.
  func view(in model: ObjectModel) -> View {
    let direction = [sourceName, destinationName].map { $0 ?? "" }
    let heading =
      StyledText("  \(name)", .name) + StyledText("  \(kind.name)", .faint)
      + StyledText(
        sourceName == destinationName || sourceName == nil || destinationName == nil
          ? "" : "  \(direction[0]) -> \(direction[1])")
    guard kind == .transform || kind == .custom, let destinationName else { return .line(heading) }
    let defaults = Dictionary(
      model.allAttributes(of: destinationName).map { ($0.property.name, $0.property.defaultValue) },
      uniquingKeysWith: { $1 })
    let rows: [[StyledText]] = (attributeMappings + relationshipMappings).map { property in
      let value: StyledText =
        switch property.expression {
        case .keyPath(of: .variable("source"), [property.name])?: StyledText("copied", .faint)
        case .function(_, on: .variable("manager"), let arguments)?
        where arguments.count == 2:
          StyledText("\(arguments[1].text) through \(arguments[0].plainText)")
        case let expression?: StyledText(expression.text)
        case nil:
          StyledText(
            (defaults[property.name] ?? nil).map { "default \($0)" } ?? "no value", .added)
        }
      return [StyledText("    \(property.name)"), value]
    }
    return .stack([.line(heading), .table(Table(rows: rows))])
  }
}

extension Expression {
  /// A text without its quotes.
  fileprivate var plainText: String {
    guard case .constant(.text(let words)) = self else { return text }
    return words
  }
}
