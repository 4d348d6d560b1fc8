import StrataMapping
import StrataMigration
import StrataObjectModel
import TestSupport
import Testing

@Suite("Bootstrapping")
struct BootstrappingTests {
  private static func model(_ name: String, _ entity: String) throws -> NamedModel {
    NamedModel(
      name: name,
      model: try ObjectModel(
        ModelDocument(
          reading: Array(
            "<model><entity name=\"\(entity)\"><attribute name=\"a\" attributeType=\"String\"/></entity></model>"
              .utf8))))
  }

  @Test("a store's model can be merged from the found models")
  func merged() throws {
    let parts = [
      try Self.model("B", "Beta"), try Self.model("A", "Alpha"), try Self.model("C", "C"),
    ]
    let whole = try ObjectModel(merging: [parts[0].model, parts[1].model])
    let found = DefaultBootstrapping().sourceModel(
      forHashes: whole.versionHashes(), among: parts)
    #expect(found?.name == "A+B")
    #expect(found?.model.versionHashes() == whole.versionHashes())
    // A part alone is its own model, and what no parts cover is nobody's.
    #expect(
      DefaultBootstrapping().sourceModel(forHashes: parts[2].model.versionHashes(), among: parts)?
        .name == "C")
    #expect(
      DefaultBootstrapping().sourceModel(forHashes: whole.versionHashes(), among: [parts[0]]) == nil
    )
  }

  /// A team that keeps migrated stores elsewhere, and takes no mapping model.
  private struct OurBootstrapping: MigrationBootstrapping {
    func mappingModels(
      from source: NamedModel, to destination: NamedModel, among candidates: [NamedMappingModel]
    ) -> MappingChoice {
      MappingChoice(from: source, to: destination, among: [])
    }

    func destinationPath(forStore path: String) -> String { path + ".ours" }
  }

  @Test("each decision can be replaced without changing the others")
  func replaced() throws {
    let old = NamedModel(name: "Model1", model: try SampleStore.model("Topics", "Model1"))
    let new = NamedModel(name: "Model2", model: try SampleStore.model("Topics", "Model2"))
    let mapping = NamedMappingModel(
      name: "Model1ToModel2",
      mapping: MappingModel(startingFrom: MatchableModel(old.model), to: MatchableModel(new.model)))
    let (usual, ours) = (DefaultBootstrapping(), OurBootstrapping())
    #expect(usual.mappingModels(from: old, to: new, among: [mapping]).chosen == mapping)
    #expect(ours.mappingModels(from: old, to: new, among: [mapping]).fitting.isEmpty)
    #expect(usual.destinationPath(forStore: "a") == "a.new")
    #expect(ours.destinationPath(forStore: "a") == "a.ours")
    #expect(ours.sourceModel(forHashes: old.model.versionHashes(), among: [old])?.name == "Model1")
  }
}
