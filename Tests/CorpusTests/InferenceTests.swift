import StrataArchives
import StrataBase
import StrataMapping
import StrataObjectModel
import TestSupport
import Testing

@Suite("Inference over real models", .needsCorpus)
struct InferenceTests {
  /// The versions of every real bundle, in the order of their names.
  private static func bundles() throws -> [[NamedModel]] {
    let files = Corpus.files(named: "contents").filter { $0.contains(".xcdatamodeld/") }
    let byBundle = Dictionary(grouping: files) { file in
      file.split(separator: "/").dropLast(2).joined(separator: "/")
    }
    return try byBundle.sorted { $0.key < $1.key }.map { _, versions in
      try versions.sorted { Self.name(of: $0).precedesByNumber(Self.name(of: $1)) }.map { file in
        NamedModel(
          name: file,
          model: try ObjectModel(ModelDocument(reading: FileBytes.read(Corpus.path(file)))))
      }
    }
  }

  /// `Moody 2` of its file: the ending would sort `Moody` behind it.
  private static func name(of file: String) -> String {
    String(file.split(separator: "/").dropLast().last ?? "").replacing(".xcdatamodel", with: "")
  }

  @Test(
    "neighbouring versions infer either way, or say why not, as the rules stated plainly do",
    .part(4))
  func neighbours() throws {
    var (count, refused) = (0, 0)
    for versions in try Self.bundles() {
      let models = versions.map { MatchableModel($0.model) }
      for (first, second) in zip(models, models.dropFirst()) {
        for (old, new) in [(first, second), (second, first)] {
          count += 1
          let inference = Inference(from: old, to: new)
          let plain = BruteForceInference(old: old.model, new: new.model).isInferable
          #expect(inference.isInferable == plain)
          guard !inference.isInferable else { continue }
          refused += 1
          var finder = RemedyFinder(from: old, to: new)
          for obstacle in inference.obstacles {
            #expect(finder.remedies(for: obstacle).first?.proof == .verified, "\(obstacle)")
          }
          let chain = try #require(VersionChain(from: old, to: new), "\(inference.obstacles)")
          #expect(chain.steps.last?.model.versionHashes() == new.hashes)
        }
      }
    }
    print("neighbouring pairs: \(count), of these refused and split: \(refused)")
    #expect(count > 200 && refused > 0)
  }

  @Test("every mapping model is found for its models among all of its project")
  func found() throws {
    let files = Corpus.files(named: "xcmapping.xml")
    let documents = try files.map { try MappingDocument(reading: FileBytes.read(Corpus.path($0))) }
    for (file, document) in zip(files, documents) {
      let project = file.prefix { $0 != "/" }
      let candidates = zip(files, documents).filter { $0.0.hasPrefix(project + "/") }.map {
        NamedMappingModel(
          name: String($0.0.split(separator: "/").dropLast().last ?? "")
            .replacing(".xcmappingmodel", with: ""), mapping: $0.1.mapping)
      }
      let name = { (path: String?) in
        String(path?.split(separator: "/").last ?? "").replacing(".xcdatamodel", with: "")
      }
      let choice = MappingChoice(
        from: NamedModel(
          name: name(document.sourcePath), model: try #require(document.sourceModel)),
        to: NamedModel(
          name: name(document.destinationPath), model: try #require(document.destinationModel)),
        among: candidates)
      let own = String(file.split(separator: "/").dropLast().last ?? "")
        .replacing(".xcmappingmodel", with: "")
      #expect(choice.parts.map(\.name).contains(own), "\(own): \(choice)")
      // The three parts of the presentation are one way.
      #expect(choice.parts.count == (own.hasPrefix("Model4ToModel5-") ? 3 : 1))
    }
  }
}
