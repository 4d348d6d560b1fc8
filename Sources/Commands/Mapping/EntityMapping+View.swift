internal import StrataExpressions
internal import StrataMapping
internal import StrataObjectModel
internal import StrataRendering

extension EntityMapping {
  /// The heading of the mapping, `TopicToTopic  custom`, with the entities if their names differ.
  var heading: StyledText {
    StyledText(name, .name) + StyledText("  \(effectiveKind.name)", .faint)
      + StyledText(
        sourceName == nil || destinationName == nil || sourceName == destinationName
          ? "" : "  " + [sourceName, destinationName].compactMap { $0 }.joined(separator: " -> "))
  }

  /// The mapping with each property that is not simply copied.
  func view(in model: ObjectModel) -> View {
    let line = View.line("  " + heading)
    return [.transform, .custom].contains(effectiveKind)
      ? .stack([line, table(in: model, indent: "    ")]) : line
  }

  /// The value of each property.
  func table(in model: ObjectModel?, indent: String = "  ") -> View {
    let properties = attributeMappings + relationshipMappings
    guard !properties.isEmpty else { return .nothing }
    let defaults = Dictionary(
      destinationName.flatMap { model?.allAttributes(of: $0) }.map { attributes in
        attributes.filter(\.property.hasDefault).map {
          ($0.property.name, $0.property.defaultValue)
        }
      } ?? [], uniquingKeysWith: { $1 })
    return .table(
      rows: properties.map { property in
        [
          StyledText(indent + property.name),
          property.value(default: defaults[property.name] ?? nil),
        ]
      })
  }
}

extension PropertyMapping {
  /// The source of the value, in words if the expression has one of the usual forms.
  func value(default defaultValue: String?) -> StyledText {
    guard let expression else {
      return StyledText(defaultValue.map { "default \($0)" } ?? "no value", .added)
    }
    if case .keyPath(of: .variable("source"), [name]) = expression {
      return StyledText("copied", .faint)
    }
    return StyledText(MappingText.text(ofRelationship: expression))
  }
}
