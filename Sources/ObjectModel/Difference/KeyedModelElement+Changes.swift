internal import StrataArchives
internal import StrataBase

extension KeyedModelElement {
  /// This element with the value of one key of another.
  func taking(_ key: ModelKey<Self>, from other: Self) -> Self {
    var changed = self
    // A value that was read is one that can be set.
    try? key.set(&changed, key.value(in: other))
    return changed
  }

  /// The value of a key; `nil` for one that the compiler writes anyway.
  private func compiledValue(of key: ModelKey<Self>) -> String? {
    let value = key.value(in: self)
    switch key.name {
    case "elementID": return value == Self.keysByName["name"]?.value(in: self) ? nil : value
    case "representedClassName": return value == "NSManagedObject" ? nil : value
    default: return value
    }
  }

  /// The changes of the keys of one element, known and unknown, and of the XML elements in it that are preserved
  /// without being interpreted.
  ///
  /// - Parameters:
  ///   - element: What kind of element it is.
  ///   - name: The name of the element for a reader; `nil` for an entity or the model itself.
  ///   - skipped: The keys whose changes are reported otherwise.
  ///   - areFromXML: Whether both were read from XML: compiled models lack most preserved elements.
  ///   - movesHash: Whether the change of a key changes the version hash.
  func changes(
    from old: Self, as element: ModelChange.Element, named name: String?,
    skipping skipped: Set<String> = [], areFromXML: Bool,
    movesHash: (ModelKey<Self>) -> Bool = { _ in false }
  ) -> [ModelChange] {
    var changes: [ModelChange] = []
    func note(
      _ key: String, _ before: String?, _ after: String?, movesHash: Bool, _ effect: ModelKeyEffect
    ) {
      guard before.map(ExactText.init) != after.map(ExactText.init) else { return }
      changes.append(
        ModelChange(
          element, name, .key(key, from: before, to: after), movesHash: movesHash, effect: effect))
    }
    for key in Self.keys where !skipped.contains(key.name) {
      // A max count of 1 marks a to-one relationship: the change of toMany already reports it.
      if key.name == "maxCount", changes.contains(where: { $0.keyword == "toMany" }) { continue }
      note(
        key.name, old.compiledValue(of: key), compiledValue(of: key), movesHash: movesHash(key),
        key.effect)
    }
    for key in Set(old.extras.attributes.names).union(extras.attributes.names).sorted()
    where Self.keysByName[key] == nil {
      note(key, old.extras.attributes[key], extras.attributes[key], movesHash: false, .editor)
    }
    let (before, after) = (old.extras.elements.flattened, extras.elements.flattened)
    let common = Set(before.keys.map(\.start)).intersection(after.keys.map(\.start))
      .union([FlattenedPath.userInfo[...]])
    for path in Set(before.keys).union(after.keys).sorted(by: { $0.text < $1.text })
    where areFromXML || common.contains(path.start) {
      note(path.text, before[path], after[path], movesHash: false, .runtime)
    }
    return changes
  }
}

/// The path of a value in preserved XML elements: `fetchRequest.predicateString`, `b[2].c`.
private struct FlattenedPath: Hashable {
  static let userInfo = "userInfo"

  var text: String
  /// The name of the outermost element.
  var start: Substring { text.prefix { $0 != "." && $0 != "[" } }
}

extension [MarkupElement] {
  /// The attributes and texts of these elements and of all elements in them, by path, without the positions in
  /// Xcode's drawing.
  fileprivate var flattened: [FlattenedPath: String] {
    var values: [FlattenedPath: String] = [:]
    var counts: [String: Int] = [:]
    var open = reversed().filter { $0.name != "elements" }
      .map { (path: "", element: $0) }
    while let (path, element) = open.popLast() {
      func note(_ text: String, _ value: String) {
        values[FlattenedPath(text: text)] = value
      }
      guard path + element.name != FlattenedPath.userInfo else {
        for entry in element.userInfo { note("\(element.name).\(entry.key)", entry.value) }
        continue
      }
      let count = counts[path + element.name, default: 0] + 1
      counts[path + element.name] = count
      let own = path + element.name + (count == 1 ? "" : "[\(count)]")
      for (key, value) in element.attributes { note("\(own).\(key)", value) }
      if !element.text.isEmpty { note(own, element.text) }
      open += element.children.reversed().map { ("\(own).", $0) }
    }
    return values
  }
}
