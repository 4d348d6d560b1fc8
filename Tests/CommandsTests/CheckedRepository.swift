import Foundation
import StrataBase
import StrataCommands
import TestSupport

/// A git repository with a bundle of small models, for `check`.
struct CheckedRepository {
  let repository: GitFixture
  let session: TestSession

  init() throws {
    repository = try GitFixture(name: "")
    session = TestSession(in: repository.folder)
  }

  var folder: TemporaryFolder { repository.folder }

  static let bundle = "App.xcdatamodeld"

  /// Writes a version whose entity Card has these attributes, and makes it current.
  ///
  /// - Parameter attributes: Each as XML attributes: `name="color" optional="YES" attributeType="String"`.
  func version(_ name: String, _ attributes: [String], more: String = "", makesCurrent: Bool = true)
    throws
  {
    let elements = attributes.map { "<attribute \($0)/>" }.joined(separator: "\n    ")
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Card" representedClassName="Card">
          \(elements)
        </entity>
        \(more)
      </model>

      """, to: "\(Self.bundle)/\(name).xcdatamodel/contents")
    if makesCurrent { try current(name) }
  }

  func current(_ name: String) throws {
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>

      """, to: "\(Self.bundle)/.xccurrentversion")
  }

  /// The XML attributes of an optional attribute.
  static func attribute(_ name: String, _ type: String = "String") -> String {
    #"name="\#(name)" optional="YES" attributeType="\#(type)""#
  }

  /// Writes a mapping model of the entity Card from one version to another.
  ///
  /// - Parameter lines: The lines of its entity mapping.
  func map(from old: String, to new: String, _ lines: String..., as name: String) throws {
    let names = [old, new].map { "\"\(Self.bundle)/\($0)\"" }
    let text =
      ["mapping from \(names[0]) to \(names[1])", "", "CardToCard: Card -> Card"]
      + lines.map { "  " + $0 }
    try folder.write(text.joined(separator: "\n") + "\n", to: ".git/\(name).mapping")
    let answer = session("mapping write .git/\(name).mapping \(name).xcmappingmodel --force")
    guard answer.status == .done else {
      throw GitFixture.Failure(description: answer.diagnostics)
    }
  }

  func commit(tag: String? = nil) throws {
    try repository.commit()
    if let tag { try repository.git("tag", tag) }
  }

  struct Answer: Decodable {
    struct Finding: Decodable {
      var rule: String
      var severity: String
      var finding: String
      var file: String?
      var line: Int?
      var message: String
      var fixes: [String]
      var commands: [String]
    }
    struct Migration: Decodable {
      var from: String
      var to: String
      var store: String?
      var objects: Int
      var lost: Int
      var problem: String?
    }
    struct Checked: Decodable {
      var shipped: Int
      var releases: [String]
      var base: String?
      var shard: String?
      var unchanged: Int?
    }
    var checked: Checked
    var findings: [Finding]
    var migrations: [Migration]

    var rules: [String] { findings.map(\.rule) }
  }

  /// The answer of `check --json`.
  func check(_ options: String = "") throws -> (status: ExitStatus, answer: Answer, said: String) {
    let evaluation = session("check --json \(options)")
    return (
      evaluation.status,
      try JSONDecoder().decode(Answer.self, from: Data(evaluation.output.utf8)),
      evaluation.diagnostics
    )
  }
}
