internal import ArgumentParser
internal import Synchronization

/// What a value on the command line stands for.
///
/// It is declared with the argument or option that takes the value: completion suggests values of the kind, and
/// help shows the kind's label.
///
/// ```swift
/// @Argument(help: ArgumentHelp(.model, "The older model."), completion: .file())
/// var older: String
/// ```
enum ArgumentKind: Sendable {
  case model, bundle, store, storeOrModel, mappingModel
  /// A model, an entity or a property.
  case element
  /// Anything that has a name, mapping models included.
  case reference
  /// Something to load.
  case path
  case file, document, folder
  /// An entity of the store in the arguments before it.
  case entity
  /// `key=value` of an entity in the arguments before it.
  case keyValue
  case predicate, keyPaths
  /// The name of something loaded.
  case loadedName
  case entityMapping, mark, breakpoint, stepUnit
  /// An entity of the model that a stepper migrates to.
  case destinationEntity

  /// How help calls a value of the kind.
  var label: String {
    switch self {
    case .mappingModel, .entityMapping: "mapping"
    case .element, .reference: "ref"
    case .storeOrModel: "store-or-model"
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
  /// - Parameter label: What help calls the value, where the kind's own label is not clear enough.
  init(_ kind: ArgumentKind, _ abstract: String, label: String? = nil) {
    let label = label ?? kind.label
    self.init(abstract, valueName: label)
    DeclaredKinds.current?.add(kind, abstract: abstract, label: label)
  }
}

/// The kinds of the arguments that a command declares.
///
/// ArgumentParser hands on nothing of a declaration but its texts. While it describes a command, the declarations
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
