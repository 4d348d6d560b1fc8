internal import ArgumentParser
internal import Synchronization

/// The kind of a value on the command line.
///
/// It is declared with the argument or option: completion suggests values of the kind, and help shows its
/// label.
///
/// ```swift
/// @Argument(.model, "The older model.") var older: String
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

  /// What a shell completes.
  fileprivate var completion: CompletionKind? {
    switch self {
    case .folder: .directory
    case .model, .bundle, .store, .storeOrModel, .mappingModel, .element, .reference, .path, .file,
      .document:
      .file()
    default: nil
    }
  }
}

/// An argument of a kind; for `label`, see `ArgumentHelp`.
extension Argument {
  init(_ kind: ArgumentKind, _ abstract: String, label: String? = nil) where Value == String {
    self.init(help: ArgumentHelp(kind, abstract, label: label), completion: kind.completion)
  }

  init(
    wrappedValue: String, _ kind: ArgumentKind, _ abstract: String, label: String? = nil
  ) where Value == String {
    self.init(
      wrappedValue: wrappedValue, help: ArgumentHelp(kind, abstract, label: label),
      completion: kind.completion)
  }

  init(_ kind: ArgumentKind, _ abstract: String, label: String? = nil) where Value == String? {
    self.init(help: ArgumentHelp(kind, abstract, label: label), completion: kind.completion)
  }

  init(
    _ kind: ArgumentKind, _ abstract: String, label: String? = nil,
    parsing: ArgumentArrayParsingStrategy = .remaining
  ) where Value == [String] {
    self.init(
      parsing: parsing, help: ArgumentHelp(kind, abstract, label: label),
      completion: kind.completion)
  }

  init(
    wrappedValue: [String], _ kind: ArgumentKind, _ abstract: String, label: String? = nil,
    parsing: ArgumentArrayParsingStrategy = .remaining
  ) where Value == [String] {
    self.init(
      wrappedValue: wrappedValue, parsing: parsing,
      help: ArgumentHelp(kind, abstract, label: label), completion: kind.completion)
  }
}

/// An option with a value of a kind; for `label`, see `ArgumentHelp`.
extension Option {
  init(
    _ kind: ArgumentKind, _ abstract: String, label: String? = nil, name: NameSpecification = .long
  ) where Value == String {
    self.init(
      name: name, help: ArgumentHelp(kind, abstract, label: label), completion: kind.completion)
  }

  init(
    _ kind: ArgumentKind, _ abstract: String, label: String? = nil, name: NameSpecification = .long,
    parsing: SingleValueParsingStrategy = .next
  ) where Value == String? {
    self.init(
      name: name, parsing: parsing, help: ArgumentHelp(kind, abstract, label: label),
      completion: kind.completion)
  }

  init(
    wrappedValue: [String], _ kind: ArgumentKind, _ abstract: String, label: String? = nil,
    name: NameSpecification = .long, parsing: ArrayParsingStrategy = .singleValue
  ) where Value == [String] {
    self.init(
      wrappedValue: wrappedValue, name: name, parsing: parsing,
      help: ArgumentHelp(kind, abstract, label: label), completion: kind.completion)
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
