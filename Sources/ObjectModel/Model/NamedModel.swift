/// A model with the name by which the user refers to it.
package struct NamedModel: Sendable, Hashable {
  package var name: String
  package var model: ObjectModel
  /// The reference to use in commands if the name cannot be resolved: `App.xcdatamodeld/Model1`.
  package var reference: String?

  package init(name: String, model: ObjectModel) {
    self.name = name
    self.model = model
  }
}

extension NamedModel {
  /// A reference that commands accept.
  package var typableName: String { reference ?? name }

  /// The version's name without the bundle: `Topics/Model1` is Model1.
  package var versionName: String { Self.versionName(of: name) }

  /// The version's name of a model name; for merged models, the joined version names: `A/Model2+B/Model1` is
  /// Model2+Model1.
  package static func versionName(of name: String) -> String {
    name.split(separator: "+").map { part in
      part.split { "/:".contains($0) }.last.map(String.init) ?? String(part)
    }.joined(separator: "+")
  }
}
