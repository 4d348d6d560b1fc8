import StrataKit

/// Splits a chef's name at the first space, and writes the family name in capitals.
struct ChefToChef: EntityMigrationPolicy {
  func createDestinationInstances(
    for source: SourceObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    guard let chef = try manager.createDestinationInstance(for: source, in: mapping),
      let name = try source.text("name")
    else { return }
    let words = name.split(separator: " ", maxSplits: 1).map(String.init)
    try chef.set("firstName", to: words.first.map { .text($0) } ?? .null)
    try chef.set("lastName", to: words.count > 1 ? .text(words[1].uppercased()) : .null)
  }
}
