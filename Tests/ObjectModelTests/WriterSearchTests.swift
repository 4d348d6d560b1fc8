import StrataObjectModel
import TestSupport
import Testing

/// What wrote a store, found by its hashes.
@Suite("Finding the model that wrote a store")
struct WriterSearchTests {
  /// A model of entities without properties; an upper-case letter is another form of the entity.
  private static func model(_ letters: String, configurations: [String: String] = [:]) throws
    -> ObjectModel
  {
    let entities = letters.map { letter in
      "<entity name=\"\(letter.lowercased())\">"
        + (letter.isUppercase ? "<attribute name=\"x\" attributeType=\"String\"/>" : "")
        + "</entity>"
    }
    let parts = configurations.sorted { $0.key < $1.key }.map { name, members in
      "<configuration name=\"\(name)\">"
        + members.map { "<memberEntity name=\"\($0.lowercased())\"/>" }.joined()
        + "</configuration>"
    }
    return try ObjectModel(
      ModelDocument(reading: Array("<model>\((entities + parts).joined())</model>".utf8)))
  }

  private static func candidate(_ name: String, _ letters: String) throws -> WriterCandidate {
    try WriterCandidate(
      NamedModel(name: name, model: model(letters)),
      bundle: String(name.split(separator: "/")[0]))
  }

  /// All choices of candidates of different bundles whose entities together are those wanted.
  private static func unions(
    _ candidates: ArraySlice<WriterCandidate>, _ wanted: [String: VersionHash]
  ) -> [[WriterCandidate]] {
    guard let first = candidates.first else { return [[]] }
    let rest = unions(candidates.dropFirst(), wanted)
    let own = first.model.model.versionHashes()
    guard own.allSatisfy({ wanted[$0.key] == $0.value }) else { return rest }
    return rest + rest.filter { !$0.contains { $0.bundle == first.bundle } }.map { [first] + $0 }
  }

  @Test("merged versions are found, as few as possible")
  func exhaustive() throws {
    let candidates = try [
      ("A/1", "a"), ("A/2", "ab"), ("B/1", "c"), ("B/2", "bC"), ("C/1", "d"), ("C/2", "ad"),
    ].map { try Self.candidate($0, $1) }
    let search = WriterSearch(candidates)
    var found = 0
    for letters in ["a", "b", "c", "d", "C"].subsets.map({ $0.joined() }) {
      guard !letters.isEmpty, Set(letters.lowercased()).count == letters.count else { continue }
      let wanted = try Self.model(letters).versionHashes()
      let expected = Self.unions(candidates[...], wanted).filter { union in
        union.reduce(into: Set<String>()) { $0.formUnion($1.model.model.entityNames) }
          == Set(wanted.keys)
      }
      let least = expected.map(\.count).min() ?? 0
      let writers = search.writers(of: wanted)
      let names = Set(
        expected.filter { $0.count == least }.map { $0.map(\.model.name).sorted() })
      #expect(Set(writers.map { $0.versions.map(\.name) }) == names, "\(letters)")
      for writer in writers {
        #expect(writer.model?.versionHashes() == wanted, "\(letters): \(writer.name)")
      }
      found += writers.isEmpty ? 0 : 1
    }
    #expect(found >= 8)
  }

  @Test("a configuration is found, and the whole model has precedence")
  func configuration() throws {
    let whole = NamedModel(
      name: "M", model: try Self.model("abC", configurations: ["Local": "ab", "All": "abC"]))
    let search = WriterSearch([WriterCandidate(whole)])
    let part = search.writers(of: try Self.model("ab").versionHashes())
    #expect(part.map(\.configuration) == ["Local"] && part[0].name == "M")
    #expect(part[0].model?.entityNames == ["a", "b"])
    #expect(search.writers(of: whole.model.versionHashes()).map(\.configuration) == [nil])
    #expect(search.writers(of: try Self.model("aB").versionHashes()).isEmpty)
    #expect(search.writers(of: try Self.model("a").versionHashes()).isEmpty)
  }

  @Test("every version with the fewest differences is among the nearest")
  func nearest() throws {
    let models = try ["ab", "Ab", "aBc", "abd"].enumerated().map {
      NamedModel(name: "M\($0)", model: try Self.model($1))
    }
    let store = try Self.model("AB")
    func names(_ own: ObjectModel?) -> [String] {
      NearestVersions(to: store.versionHashes(), among: models, own: own).versions.map(\.model.name)
    }
    #expect(names(nil) == ["M1"])
    let tied = NearestVersions(
      to: store.versionHashes(), among: [models[0], models[2]], own: store)
    #expect(tied.versions.map(\.entities) == [["a", "b"], ["a", "c"]])
    #expect(tied.versions[0].changes.flatMap(\.changes).map(\.name) == ["x", "x"])
  }
}

extension Array {
  fileprivate var subsets: [[Element]] {
    reduce([[]]) { sets, element in sets + sets.map { $0 + [element] } }
  }
}
