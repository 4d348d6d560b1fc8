internal import ArgumentParser
internal import Synchronization

/// The kind of a value on the command line.
///
/// It is declared with the argument or option: completion suggests values of the kind, and help shows its
/// label.
///
/// ```swift
/// @Argument(help: ArgumentHelp(.model, "The older model."), completion: .file())
/// var older: String
/// ```
enum ArgumentKind: Sendable {
  case model, bundle, store, storeOrModel, mappingModel
  /// A model, an entity or a property.
  case element
  /// Any named item, including mapping models.
  case reference
  /// A file or folder to load, or a sample.
  case path
  case file, document, folder
  /// An entity of the store in the preceding arguments.
  case entity
  /// The key of an object of the entity in the preceding arguments.
  case objectKey
  /// `key=value` for the entity in the preceding arguments.
  case keyValue
  case predicate, keyPaths
  /// A query on the store in the preceding argument.
  case query
  /// The name of a loaded item.
  case loadedName
  case entityMapping, mark, breakpoint, stepUnit
  /// An entity of the destination model of the stepper.
  case destinationEntity

  /// The label of the kind in help.
  var label: String {
    switch self {
    case .mappingModel, .entityMapping: "mapping"
    case .element, .reference: "ref"
    case .storeOrModel: "store-or-model"
    case .objectKey: "key"
    case .keyValue: "key=value"
    case .keyPaths: "keys"
    case .loadedName: "name"
    case .breakpoint: "number"
    case .stepUnit: "unit"
    case .destinationEntity: "what"
    default: "\(self)"
    }
  }
}

extension ArgumentHelp {
  /// - Parameter label: The label in help, if that of the kind is not clear enough.
  init(_ kind: ArgumentKind, _ abstract: String, label: String? = nil) {
    let label = label ?? kind.label
    self.init(abstract, valueName: label)
    DeclaredKinds.current?.add(kind, abstract: abstract, label: label)
  }
}

/// The kinds of the arguments that a command declares.
///
/// ArgumentParser passes on only the texts of a declaration. While it describes a command, the declarations
/// are evaluated, and each adds its kind here.
final class DeclaredKinds: Sendable {
  @TaskLocal static var current: DeclaredKinds?

  private let kinds = Mutex<[[String]: ArgumentKind]>([:])

  fileprivate func add(_ kind: ArgumentKind, abstract: String, label: String) {
    kinds.withLock { $0[[label, abstract]] = kind }
  }

  func kind(abstract: String, label: String) -> ArgumentKind? {
    kinds.withLock { $0[[label, abstract]] }
  }
}
