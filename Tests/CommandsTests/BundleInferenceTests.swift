import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

@Suite("Inference in bundles")
struct BundleInferenceTests {
  private static func session(
    versions: [String], current: String?, in folder: TemporaryFolder
  ) throws -> TestSession {
    let session = TestSession(in: folder)
    for version in versions {
      let answer = session(
        "write sample:Topics/\(version) B.xcdatamodeld/\(version)"
          + (version == current ? " --current" : ""))
      #expect(answer.status == .done, "\(answer)")
    }
    return session
  }

  @Test(
    "a bundle with one version has nothing to infer, and this is not an error",
    arguments: ["", "--all", "--to-current"])
  func oneVersion(option: String) throws {
    let folder = try TemporaryFolder()
    let session = try Self.session(versions: ["Model1"], current: nil, in: folder)
    let answer = session("infer B.xcdatamodeld \(option)")
    #expect(answer.status == .done, "\(answer)")
    #expect(answer.output == "B has one version: there is nothing to infer\n")
    #expect(session("infer B.xcdatamodeld \(option) --json").status == .done)
  }

  private struct Pair: Decodable, Equatable {
    var from, to, verdict: String
  }

  @Test("--to-current infers from every other version to the current one, and no other pair")
  func toCurrent() throws {
    let all = ["Model1", "Model2", "Model3", "Model4", "Model5"]
    for current in all {
      let folder = try TemporaryFolder()
      let session = try Self.session(versions: all, current: current, in: folder)
      let answer = session("infer B.xcdatamodeld --to-current --json")
      let pairs = try JSONDecoder().decode([Pair].self, from: Data(answer.output.utf8))
      let expected = all.filter { $0 != current }.map { version in
        let single = session("infer B.xcdatamodeld/\(version) B.xcdatamodeld/\(current)")
        return Pair(
          from: version, to: current,
          verdict: String(single.output.prefix { !":(,\n".contains($0) }.trimmed))
      }
      #expect(pairs == expected)
      let isRefused = expected.contains { $0.verdict == "not inferable" }
      #expect(answer.status == (isRefused ? .no : .done))
    }
  }

  @Test("the mapping models that Core Data would use instead are named, in the text and in JSON")
  func mappingModels() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session("samples --write .")
    struct Pair: Decodable {
      var from: String
      var mappingModels: [String]?
    }
    func pairs() throws -> [String: [String]] {
      let answer = session("infer Topics.xcdatamodeld --json")
      let pairs = try JSONDecoder().decode([Pair].self, from: Data(answer.output.utf8))
      return Dictionary(
        uniqueKeysWithValues: pairs.compactMap { pair in
          pair.mappingModels.map { (pair.from, $0) }
        })
    }
    let lines = session("infer Topics.xcdatamodeld").output.components(separatedBy: "\n")
      .filter { $0.contains("Core Data") }
    let found = try pairs()
    #expect(found["Model1"] == ["Model1ToModel2"] && found["Model4"]?.count == 3, "\(found)")
    #expect(found.count == lines.count)
    for (from, names) in found {
      let line = lines.first { $0.hasPrefix("\(from) ->") } ?? ""
      #expect(names.allSatisfy(line.contains), "\(line): \(names)")
      #expect(line.contains("choice is undefined") == (names.count > 1), "\(line)")
    }
  }

  @Test("--to-current requires a bundle alone")
  func usage() throws {
    let session = TestSession(in: try TemporaryFolder())
    for line in [
      "infer sample:Topics/Model1 sample:Topics/Model2 --to-current",
      "infer sample:Topics --to-current --all",
    ] { #expect(session(line).status == .usage) }
  }
}

extension Substring {
  fileprivate var trimmed: Substring { hasSuffix(" ") ? dropLast() : self }
}
