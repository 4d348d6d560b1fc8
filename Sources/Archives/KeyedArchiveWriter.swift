/// Builds a keyed archive as NSKeyedArchiver writes it, object by object.
///
/// An object can be reserved before its values are known, so that graphs may be cyclic.
///
/// ```swift
/// var writer = KeyedArchiveWriter()
/// let list = writer.add("NSArray", elements: [writer.string("a")])
/// writer.encoded(root: list)
/// ```
package struct KeyedArchiveWriter {
  private var objects: [PropertyList] = [.string("$null")]
  private var strings: [String: PropertyList] = [:]
  private var classes: [String: PropertyList] = [:]
  /// The number of elements of all containers so far, as readers count them.
  private var elementCount = 0

  package init() {}

  /// Whether it is already too large to be read back: see ``ArchiveLimits``.
  package var isTooLarge: Bool {
    objects.count > ArchiveLimits.objectCount
      || elementCount + objects.count > ArchiveLimits.listElementCount
  }

  /// The archive's null.
  package static let null = PropertyList.uid(0)

  /// Reserves an object, to be filled by ``fill(_:_:_:)``.
  package mutating func reserve() -> PropertyList {
    objects.append(.string("$null"))
    return .uid(objects.count - 1)
  }

  /// Gives a reserved object its class and its values.
  package mutating func fill(
    _ reference: PropertyList, _ className: String, _ values: [String: PropertyList]
  ) {
    guard case .uid(let index) = reference else { return }
    var entries = values
    entries["$class"] = self.reference(toClass: className)
    elementCount += 2 * entries.count
    for case .array(let elements) in values.values { elementCount += elements.count }
    objects[index] = .dictionary(entries)
  }

  package mutating func add(_ className: String, _ values: [String: PropertyList]) -> PropertyList {
    let reference = reserve()
    fill(reference, className, values)
    return reference
  }

  /// An array or a set.
  package mutating func add(_ className: String, elements: [PropertyList]) -> PropertyList {
    add(className, ["NS.objects": .array(elements)])
  }

  /// A dictionary, in this order.
  package mutating func add(
    _ className: String, entries: [(key: PropertyList, value: PropertyList)]
  ) -> PropertyList {
    add(
      className,
      ["NS.keys": .array(entries.map(\.key)), "NS.objects": .array(entries.map(\.value))])
  }

  /// A string; equal strings share an object.
  package mutating func string(_ text: String) -> PropertyList {
    if let known = strings[text] { return known }
    // Only the first object may be the text that represents null.
    let reference =
      text == "$null"
      ? add("NSMutableString", ["NS.string": .string(text)]) : value(.string(text))
    strings[text] = reference
    return reference
  }

  /// A number or data as a separate object.
  package mutating func value(_ value: PropertyList) -> PropertyList {
    objects.append(value)
    return .uid(objects.count - 1)
  }

  private mutating func reference(toClass name: String) -> PropertyList {
    if let known = classes[name] { return known }
    let lineage = [name] + (Self.ancestors[name] ?? []) + ["NSObject"]
    objects.append(
      .dictionary([
        "$classname": .string(name), "$classes": .array(lineage.map { .string($0) }),
      ]))
    let reference = PropertyList.uid(objects.count - 1)
    classes[name] = reference
    return reference
  }

  /// The superclasses of a class up to NSObject, as in real archives.
  private static let ancestors: [String: [String]] = [
    "NSDecimalNumberPlaceholder": ["NSDecimalNumber", "NSNumber", "NSValue"],
    "NSMutableDictionary": ["NSDictionary"],
    "NSMutableArray": ["NSArray"],
    "NSMutableSet": ["NSSet"],
    "NSMutableString": ["NSString"],
    "NSKnownKeysDictionary1": ["NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary"],
    "NSKnownKeysMappingStrategy1": ["NSKnownKeysMappingStrategy"],
    "NSAttributeDescription": ["NSPropertyDescription"],
    "NSDerivedAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSCompositeAttributeDescription": ["NSAttributeDescription", "NSPropertyDescription"],
    "NSRelationshipDescription": ["NSPropertyDescription"],
    "NSExpressionDescription": ["NSPropertyDescription"],
    "NSComparisonPredicate": ["NSPredicate"],
    "NSCompoundPredicate": ["NSPredicate"],
    "NSComparisonPredicateOperator": ["NSPredicateOperator"],
    "NSEqualityPredicateOperator": ["NSPredicateOperator"],
    "NSConstantValueExpression": ["NSExpression"],
    "NSSelfExpression": ["NSExpression"],
    "NSVariableExpression": ["NSExpression"],
    "NSKeyPathSpecifierExpression": ["NSExpression"],
    "NSFunctionExpression": ["NSExpression"],
    "NSKeyPathExpression": ["NSFunctionExpression", "NSExpression"],
    "XDPMModel": ["XDModel"],
    "XDModelPackage": ["XDUMLPackageImp", "XDUMLNamespaceImp"] + namedElement,
    "XDPMEntity": ["XDUMLClassImp", "XDUMLClassifierImp", "XDUMLNamespaceImp"] + namedElement,
    "XDPMAttribute": ["XDPMProperty", "XDUMLPropertyImp"] + namedElement,
    "XDPMRelationship": ["XDPMProperty", "XDUMLPropertyImp"] + namedElement,
    "XDUMLPropertyImp": namedElement,
    "XDUMLGeneralizationImp": namedElement,
    "XDUMLClassImp": ["XDUMLClassifierImp", "XDUMLNamespaceImp"] + namedElement,
    "XDUMLStereotypeImp": ["XDUMLClassImp", "XDUMLClassifierImp", "XDUMLNamespaceImp"]
      + namedElement,
  ]

  /// The superclasses of every object of the model editor.
  private static let namedElement = ["XDUMLNamedElementImp", "XDUMLElementImp"]

  /// The bytes of the archive.
  package func encoded(root: PropertyList) -> [UInt8] {
    PropertyList.dictionary([
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(["root": root]), "$objects": .array(objects),
    ]).encoded()
  }
}
