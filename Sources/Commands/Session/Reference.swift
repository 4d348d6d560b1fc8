internal import StrataBase
internal import StrataMigration
internal import StrataObjectModel

/// The item that a REF on a command line names.
enum Reference {
  case model(NamedModel)
  case entity(String, in: NamedModel)
  case property(String, of: String, in: NamedModel)
  case store(name: String, path: String)
  /// A mapping model, or one of its entity mappings.
  case mapping(TypedMapping, entityMapping: String?)

  var isMapping: Bool {
    if case .mapping = self { true } else { false }
  }

  var model: NamedModel? {
    switch self {
    case .model(let model), .entity(_, let model), .property(_, _, let model): model
    case .store, .mapping: nil
    }
  }
}
