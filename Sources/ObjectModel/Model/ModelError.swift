/// The reason why a model is inconsistent: the problem and its element.
package struct ModelError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// The root element of the file is not `model`.
    case notAModel(found: String)
    case missingName(element: String)
    case duplicateEntity(String)
    case duplicateProperty(String)
    /// The property is also declared by an ancestor.
    case overriddenProperty(String, ancestor: String)
    case unknownParent(String, near: String?)
    case cyclicParents([String])
    case tooDeepHierarchy(limit: Int)
    /// A limit that no known model exceeds.
    case tooMany(String, limit: Int)
    case unknownDestination(String, near: String?)
    case unknownInverse(String, of: String, near: String?)
    /// A uniqueness constraint over a property that the entity does not have.
    case unknownConstraint(String, near: String?)
    case unknownMember(String, near: String?)
    case duplicateConfiguration(String)
    case unknownConfiguration(String, near: String?)
    case unknownComposite(String, near: String?)
    case cyclicComposite(String)
    case duplicateComposite(String)
    case missingDerivation
    /// A stored attribute without a type.
    case undefinedType
    /// An invalid value of a key.
    case badValue(key: String, value: String, wanted: String, near: String?)
    /// Two merged models declare an entity of this name differently.
    case conflictingEntity(String)
    /// A configuration with an entity whose parent or destination it does not have.
    case incompleteConfiguration(String, entity: String, missing: String)
    /// A uniqueness constraint of no property.
    case emptyConstraint
    /// An archive with an unexpected object.
    case badArchive(String)
    /// The model cannot be represented in XML; the reason.
    case notWritable(String)
    /// The name is empty or contains characters that a model file cannot contain.
    case badName(String)
  }

  package var problem: Problem
  package var entity: String?
  package var property: String?
  /// The line of the model file, from 1; 0 if unknown.
  package var line: Int

  package init(_ problem: Problem, entity: String? = nil, property: String? = nil, line: Int = 0) {
    self.problem = problem
    self.entity = entity
    self.property = property
    self.line = line
  }
}
