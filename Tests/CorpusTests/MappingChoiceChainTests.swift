import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// What Core Data does for the hops of real projects, by hand from their files and Apple's documents: the second
/// table of `Docs/MAPPING-CHOICE.md`.
@Suite("The choice of mapping models in real projects", .needsCorpus)
struct MappingChoiceChainTests {
  struct Project: Sendable, CustomTestStringConvertible {
    var bundle: String
    /// A folder with mapping models, where they do not lie beside the bundle.
    var mappings: String?
    /// From, to, and the mapping models that fit; none: Core Data infers.
    var hops: [(from: String, to: String, fitting: [String])]

    var testDescription: String { bundle }
  }

  private static let wibosco = "wibosco-migration-revised/CoreDataMigration-Example/CoreData"
  private static let sample = "coredataplus-sample/Tests/Resources/SampleModel"
  private static let notes =
    "cdt-materials/06-versioning-and-migration/projects/final/UnCloudNotes/UnCloudNotesDataModel"

  static let projects = [
    Project(
      bundle: "billmoss-hybrid/CoreDataMigration/Model.xcdatamodeld",
      hops: [
        ("Model1", "Model2", ["Model1ToModel2"]), ("Model2", "Model3", []),
        ("Model3", "Model4", ["Model3ToModel4"]),
        ("Model4", "Model5", ["Model4ToModel5-1", "Model4ToModel5-2", "Model4ToModel5-3"]),
        ("Model1", "Model5", []),
      ]),
    Project(
      bundle: "objcio-moody/Migrations/Migrations/Moody.xcdatamodeld",
      hops: [
        ("Moody", "Moody 2", []), ("Moody 2", "Moody 3", ["Moody 2-Moody 3"]),
        ("Moody 3", "Moody 4", ["Moody 3-Moody 4"]), ("Moody 4", "Moody 5", ["Moody 4-Moody 5"]),
        ("Moody 5", "Moody 6", ["Moody 5-Moody 6"]),
      ]),
    Project(
      bundle: wibosco + "/Model/CoreDataMigration_Example.xcdatamodeld",
      mappings: wibosco + "/Migration/Mappings",
      hops: [
        ("CoreDataMigration_Example", "CoreDataMigration_Example 2", []),
        (
          "CoreDataMigration_Example 2", "CoreDataMigration_Example 3",
          ["Migration2to3ModelMapping"]
        ),
        ("CoreDataMigration_Example 3", "CoreDataMigration_Example 4", []),
      ]),
    Project(
      bundle: sample + "/SampleModel.xcdatamodeld", mappings: sample + "/MappingModels",
      hops: [("SampleModel", "SampleModel2", []), ("SampleModel2", "SampleModel3", ["V2toV3"])]),
    // The compiled mapping model lies beside the compiled bundle: the two forms are one.
    Project(
      bundle: sample + "/Fixtures/SampleModel.momd", mappings: sample + "/MappingModels",
      hops: [("SampleModel", "SampleModel2", []), ("SampleModel2", "SampleModel3", ["V2toV3"])]),
    Project(
      bundle: "woocommerce/Storage/Storage/Model/WooCommerce.xcdatamodeld",
      hops: [("Model 9", "Model 10", ["WooCommerceModelV9toV10"])]),
    Project(
      bundle: notes + ".xcdatamodeld",
      hops: [
        ("UnCloudNotesDataModel", "UnCloudNotesDataModel v2", []),
        (
          "UnCloudNotesDataModel v2", "UnCloudNotesDataModel v3",
          ["UnCloudNotesMappingModel_v2_to_v3"]
        ),
        (
          "UnCloudNotesDataModel v3", "UnCloudNotesDataModel v4",
          ["UnCloudNotesMappingModel_v3_to_v4"]
        ),
      ]),
    Project(
      bundle: "simplenote-macos/Simplenote/Simplenote.xcdatamodeld",
      hops: [("Simplenote", "Simplenote 2", []), ("Simplenote 2", "Simplenote 3", [])]),
  ]

  @Test(
    "a real relationship mapping that finds nothing leaves the links to its inverse, in both executors"
  )
  func inverseSetsLinks() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    session(arguments: ["load", Corpus.path(Self.notes + ".xcdatamodeld"), "--as", "B"])
    session(arguments: [
      "create", "s.sqlite", "--model", "B/UnCloudNotesDataModel v3", "--rows", "4",
    ])
    try folder.write(
      "policy UnCloudNotes.AttachmentToImageAttachmentMigrationPolicyV3toV4\n  set caption = 'x'\n",
      to: "notes.policy")
    let links = session("count s.sqlite Attachment --where 'note != nil'").output
    #expect(links != "0\n")
    for level in ["0", "2"] {
      session("trace migration \(level)")
      let done = session(arguments: [
        "migrate", "s.sqlite", "--to", "B/UnCloudNotesDataModel v4", "--policies", "notes.policy",
        "--output", "new\(level).sqlite",
      ])
      #expect(done.status == .done && done.output.contains("[mapping.wrongMapping]"), "\(done)")
      #expect(
        session("count new\(level).sqlite ImageAttachment --where 'note != nil'").output == links)
    }
  }

  private struct Plan: Decodable {
    struct Hop: Decodable { var mapping: String }
    struct Choice: Decodable { var mapping: String }
    var hops: [Hop]
    var choices: [Choice]
  }

  private struct Search: Decodable { var found, fitting: [String] }

  @Test("plan, find, fits and lint say what Core Data does", arguments: projects)
  func project(project: Project) throws {
    let session = TestSession(in: try TemporaryFolder())
    session(arguments: ["load", Corpus.path(project.bundle), "--as", "B"])
    let options = project.mappings.map { ["--mappings", Corpus.path($0)] } ?? []
    for (from, to, fitting) in project.hops {
      let what: Comment = "\(from) to \(to)"
      let undefined = fitting.count > 1 ? fitting : []
      let planned = session(
        arguments: ["plan", "B/\(from)", "--to", "B/\(to)", "--json"] + options)
      let plan = try JSONDecoder().decode(Plan.self, from: Data(planned.output.utf8))
      let expected = fitting.count > 1 ? [] : [fitting.first ?? "inferred"]
      #expect(plan.hops.map(\.mapping) == expected, what)
      #expect(plan.choices.map(\.mapping) == undefined, what)
      let searched = session(
        arguments: ["mapping", "find", "B/\(from)", "B/\(to)", "--json"] + options)
      let search = try JSONDecoder().decode(Search.self, from: Data(searched.output.utf8))
      #expect(search.fitting == fitting, what)
      #expect(search.found == (fitting.count == 1 ? fitting : []), what)
      for name in fitting {
        let place = URL(fileURLWithPath: Corpus.path(project.bundle)).deletingLastPathComponent()
        let folder = project.mappings.map(Corpus.path) ?? place.path
        let file = "\(folder)/\(name).xcmappingmodel"
        let fits = session(arguments: ["mapping", "fits", file, "B/\(from)", "B/\(to)"])
        #expect(fits.output.contains("fits: from") && fits.status == .done, "\(fits)")
        let lint = session(arguments: ["mapping", "lint", file])
        #expect(!lint.output.contains("mapping.staleHash"), "\(lint)")
        #expect(!lint.diagnostics.contains("migration.staleMapping"), "\(lint)")
      }
    }
  }
}
