/// Why a model does not hold together: the problem, and the element that has it.
package struct ModelError: Error, Hashable, Sendable {
  package enum Problem: Hashable, Sendable {
    /// The root element of the file is not `model`.
    case notAModel(found: String)
    case missingName(element: String)
    case duplicateEntity(String)
    case duplicateProperty(String)
    /// The property is declared by an ancestor too.
    case overriddenProperty(String, ancestor: String)
    case unknownParent(String, near: String?)
    case cyclicParents([String])
    case tooDeepHierarchy(limit: Int)
    /// More of something than any real model has.
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
    case missingDerivation
    /// A stored attribute without a type.
    case undefinedType
    /// A value that its key does not allow.
    case badValue(key: String, value: String, wanted: String, near: String?)
    /// Two merged models declare an entity of this name differently.
    case conflictingEntity(String)
    /// An archive with something else where a part of a model belongs.
    case badArchive(String)
    /// The model cannot be said in XML, and why.
    case notWritable(String)
    /// Empty, or with characters that no model file can hold.
    case badName(String)
  }

  package var problem: Problem
  package var entity: String?
  package var property: String?
  /// The line of the model's file; 0 where there is none.
  package var line: Int

  package init(_ problem: Problem, entity: String? = nil, property: String? = nil, line: Int = 0) {
    self.problem = problem
    self.entity = entity
    self.property = property
    self.line = line
  }
}
