/// A model under the name that its user gave it.
package struct NamedModel: Sendable, Hashable {
  package var name: String
  package var model: ObjectModel
  /// What a command line calls it, where its name leads nowhere: `App.xcdatamodeld/Model1`.
  package var reference: String?

  package init(name: String, model: ObjectModel) {
    self.name = name
    self.model = model
  }
}

extension NamedModel {
  /// A name that a command line understands.
  package var typableName: String { reference ?? name }

  /// The version's own name, without that of its bundle: `Topics/Model1` is Model1.
  package var versionName: String { Self.versionName(of: name) }

  /// The same of a name alone; of merged models, the versions joined as the models are: `A/Model2+B/Model1` is
  /// Model2+Model1.
  package static func versionName(of name: String) -> String {
    name.split(separator: "+").map { part in
      part.split { "/:".contains($0) }.last.map(String.init) ?? String(part)
    }.joined(separator: "+")
  }
}
