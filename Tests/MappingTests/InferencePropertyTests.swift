import StrataBase
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Inference over random models")
struct InferencePropertyTests {
  @Test(
    "the verdict agrees with a reference implementation of the rules, for random edits",
    arguments: 0..<8)
  func agreement(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(1000 + seed))
    var counts = [true: 0, false: 0]
    for _ in 0..<150 {
      let old = try RandomModel.make(using: &random)
      let first = try RandomModel.edited(old, edits: 2, using: &random)
      let second = try RandomModel.edited(first, edits: 3, using: &random)
      let inference = Inference(from: first, to: second)
      let plain = BruteForceInference(old: first, new: second).isInferable
      #expect(inference.isInferable == plain, "\(inference.obstacles)")
      counts[plain, default: 0] += 1
    }
    // Both answers must be met with, or the test shows nothing.
    #expect(counts.values.allSatisfy { $0 > 10 }, "\(counts)")
  }

  @Test("the table of many versions has the verdict of each pair", arguments: 0..<4)
  func table(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(1100 + seed))
    var refused = 0
    for _ in 0..<15 {
      // Read from files, so that versions share entities, as those of a bundle do.
      let files = SharedModels()
      var model = try RandomModel.make(features: .all, using: &random)
      let models = try (0..<6).map { number in
        defer {
          if let next = try? RandomModel.edited(model, edits: 2, using: &random) { model = next }
        }
        let version = ModelVersion(
          name: "\(number)", source: .embedded(model.document.encodedXML()))
        return MatchableModel(try version.read(sharing: files))
      }
      let table = VerdictTable(models)
      for source in models.indices {
        let verdicts = models.map { Inference.Verdict(from: models[source], to: $0) }
        #expect(table.verdicts(from: source) == verdicts)
        refused += verdicts.count { $0 != .compatible && $0 != .inferable }
      }
    }
    #expect(refused > 20, "\(refused)")
  }

  @Test("a rename with a renaming identifier is always found")
  func renames() throws {
    var random = SeededRandom(seed: 3)
    for _ in 0..<100 {
      let old = try RandomModel.make(using: &random)
      var document = old.document
      for entity in old.entities {
        for property in entity.attributes.map(\.name) + entity.relationships.map(\.name)
        where Bool.random(using: &random) {
          try document.apply(.rename(.property(property, of: entity.name), to: "\(property)X"))
        }
      }
      for entity in old.entities where Bool.random(using: &random) {
        try document.apply(.rename(.entity(entity.name), to: "\(entity.name)X"))
      }
      let inference = Inference(from: old, to: try ObjectModel(document))
      let mapping = try #require(inference.mapping)
      #expect(mapping.entityMappings.allSatisfy { $0.kind == .copy || $0.kind == .transform })
      #expect(
        mapping.entityMappings.allSatisfy { entity in
          (entity.attributeMappings + entity.relationshipMappings).allSatisfy {
            $0.expression != nil
          }
        })
      #expect(inference.warnings.isEmpty)
    }
  }

  @Test(
    "every step of a split is inferable, and the last one has the destination model",
    arguments: 0..<4)
  func splits(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(50 + seed))
    var count = 0
    for _ in 0..<150 {
      let old = try RandomModel.make(using: &random)
      let new = try RandomModel.edited(old, edits: 4, using: &random)
      let (first, last) = (MatchableModel(old), MatchableModel(new))
      guard case .refused = Inference.Verdict(from: first, to: last),
        let chain = VersionChain(from: first, to: last)
      else { continue }
      count += chain.steps.count > 1 ? 1 : 0
      var before = old
      for step in chain.steps {
        #expect(BruteForceInference(old: before, new: step.model).isInferable)
        before = step.model
      }
      #expect(before.versionHashes() == new.versionHashes())
    }
    #expect(count > 10)
  }
}
