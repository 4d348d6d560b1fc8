package import StrataBase
package import StrataStore

extension BrowsedObject {
  /// What events call it.
  package var traced: ObjectRef { ObjectRef(entity: entity, key: key) }
}

extension NewObject {
  /// What events call it.
  package var traced: ObjectRef { ObjectRef(entity: entity, key: key) }
}
