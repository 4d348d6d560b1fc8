internal import StrataObjectModel

extension Try {
  static func candidates(after arguments: [String], in session: Session) -> [String]? {
    // The first argument is a reference like any other.
    guard let reference = arguments.first else { return nil }
    guard let resolved = try? session.resolve(session.trialReference(reference)) else { return [] }
    let edit = Array(arguments.dropFirst())
    if edit.first == "add" {
      switch edit.count {
      case 1:
        return kinds(in: resolved).map(\.rawValue)
      case 3...:
        let keys: [ModelKeyNames.Key] =
          switch edit[1] {
          case "entity": ModelKeyNames.entity
          case "attribute": ModelKeyNames.attribute
          case "relationship": ModelKeyNames.relationship
          default: []
          }
        return keys.flatMap { key in
          key.values.isEmpty ? ["\(key.name)="] : key.values.map { "\(key.name)=\($0)" }
        }
      default: return []
      }
    }
    let keys = keys(of: resolved)
    switch edit.count {
    case 0: return keys.map(\.name) + ["add", "remove", "rename", "meaning"]
    case 1: return keys.first { $0.name == edit[0] }?.values ?? []
    default: return []
    }
  }

  private static func kinds(in reference: Reference) -> [ModelEdit.NewElement] {
    switch reference {
    case .entity: [.attribute, .relationship, .constraint]
    case .model: [.entity]
    default: []
    }
  }

  private static func keys(of reference: Reference) -> [ModelKeyNames.Key] {
    switch reference {
    case .entity: ModelKeyNames.entity
    case .property(let name, let entity, let model):
      model.model.relationship(name, of: entity) == nil
        ? ModelKeyNames.attribute : ModelKeyNames.relationship
    case .model, .store, .mapping: []
    }
  }
}
