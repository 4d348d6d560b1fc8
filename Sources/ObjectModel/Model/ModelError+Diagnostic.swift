package import StrataBase

extension ModelError: DiagnosticError {
  package var diagnostic: Diagnostic {
    let (id, what, fix) = parts
    let names = [entity, property].compactMap { $0 }
    let location = Location(
      line: line > 0 ? line : nil, element: names.isEmpty ? nil : names.joined(separator: "."))
    return Diagnostic(
      id: "model." + id, what: what, location: location == Location() ? nil : location, fix: fix)
  }

  private var parts: (id: String, what: String, fix: String) {
    switch problem {
    case .notWritable(let reason):
      (
        "notWritable", "the model cannot be written to a model file: \(reason)",
        "nothing was written; rename the elements that contain such characters with `try`"
      )
    case .badName(let name):
      (
        "badName", name.isEmpty ? "a name cannot be empty" : "\"\(name)\" is not a valid name",
        "use letters, digits and underscores"
      )
    case .notAModel(let found):
      (
        "notAModel", "the file contains <\(found)>, not a data model",
        "name an .xcdatamodeld, an .xcdatamodel or the contents file inside one"
      )
    case .missingName(let element):
      ("missingName", "<\(element)> has no name", "give it a name attribute")
    case .duplicateEntity(let name):
      ("duplicateEntity", "two entities are called \(name)", "rename one of them")
    case .duplicateProperty(let name):
      ("duplicateProperty", "two properties are called \(name)", "rename one of them")
    case .overriddenProperty(let name, let ancestor):
      (
        "overriddenProperty", "\(name) is inherited from \(ancestor) and declared again",
        "remove one of the two declarations: Core Data raises an exception for such a model"
      )
    case .unknownParent(let name, let near):
      ("unknownParent", "the parent \(name) is not in the model", Self.fix("parentEntity", near))
    case .cyclicParents(let names):
      (
        "cyclicParents", "the parent entities form a cycle: \(names.joined(separator: " -> "))",
        "clear parentEntity on one of them"
      )
    case .tooDeepHierarchy(let limit):
      (
        "tooDeepHierarchy", "the entity hierarchy has more than \(limit) levels",
        "no known model has so many; check where the file came from"
      )
    case .tooMany(let what, let limit):
      (
        "tooMany", "the model has more than \(limit) \(what)",
        "no known model has so many; check where the file came from"
      )
    case .unknownDestination(let name, let near):
      (
        "unknownDestination", "the destination \(name) is not in the model",
        Self.fix("destinationEntity", near)
      )
    case .unknownInverse(let name, let destination, let near):
      (
        "unknownInverse", "the inverse \(destination).\(name) is not in the model",
        Self.fix("inverseName", near)
      )
    case .unknownConstraint(let name, let near):
      (
        "unknownConstraint",
        "a uniqueness constraint names \(name), which the entity does not have",
        Self.fix("the constraint", near)
      )
    case .unknownMember(let name, let near):
      (
        "unknownMember", "the configuration names an entity \(name) that is not in the model",
        Self.fix("memberEntity", near)
      )
    case .duplicateConfiguration(let name):
      ("duplicateConfiguration", "two configurations are called \(name)", "rename one of them")
    case .unknownConfiguration(let name, let near):
      (
        "unknownConfiguration", "the model has no configuration \(name)",
        near.map(NearestName.question) ?? "`show` lists the model's configurations"
      )
    case .unknownComposite(let name, let near):
      ("unknownComposite", "there is no composite type \(name)", Self.fix("composite", near))
    case .cyclicComposite(let name):
      (
        "cyclicComposite", "the composite type \(name) contains itself",
        "remove one of its composite attributes"
      )
    case .duplicateComposite(let name):
      ("duplicateComposite", "two composite types are called \(name)", "rename one of them")
    case .missingDerivation:
      (
        "missingDerivation", "a derived attribute has no derivation expression",
        "set derivationExpression, or clear derived"
      )
    case .undefinedType:
      (
        "undefinedType", "an attribute that is stored has no type",
        "set attributeType, or make it transient"
      )
    case .badValue(let key, let value, let wanted, let near):
      (
        "badValue", "\"\(value)\" is not a valid value of \(key)",
        near.map(NearestName.question) ?? "set it to \(wanted)"
      )
    case .incompleteConfiguration(let name, let entity, let missing):
      (
        "incompleteConfiguration",
        "the configuration \(name) has the entity \(entity), but not \(missing), which \(entity) needs",
        "add \(missing) to the configuration"
      )
    case .emptyConstraint:
      (
        "emptyConstraint", "a uniqueness constraint names no property",
        "name the properties, or remove the constraint"
      )
    case .conflictingEntity(let name):
      (
        "conflictingEntity", "the merged models have two different entities named \(name)",
        "rename one, or merge only models without such conflicts; `diff` shows the differences"
      )
    case .badArchive(let what):
      ("badArchive", what, "the file is damaged: get another copy of it")
    }
  }

  private static func fix(_ key: String, _ near: String?) -> String {
    near.map(NearestName.question) ?? "correct \(key), or add the missing element"
  }
}
