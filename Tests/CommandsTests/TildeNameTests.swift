import Foundation
import StrataBase
import StrataCommands
import TestSupport
import Testing

/// Foundation takes a name that begins with `~` for somebody's home.
@Suite("Names that begin with ~")
struct TildeNameTests {
  @Test("a mapping model is named without the extension")
  func mapping() throws {
    let folder = try TemporaryFolder()
    let session = TestSession(in: folder)
    #expect(session("mapping write sample:Topics/Model1ToModel2 ./~Old.mapping").status == .done)
    #expect(session("load ./~Old.mapping").output.hasPrefix("loaded ~Old:"))
  }

  @Test("a store has its external data in the folder with its name")
  func externalData() throws {
    let folder = try TemporaryFolder()
    try PhotoStore.write([1], to: folder.path("~photos.sqlite"))
    #expect(FileManager.default.fileExists(atPath: folder.path(".~photos_SUPPORT/_EXTERNAL_DATA")))
  }

  @Test("a project lists its stores")
  func project() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("~phone.sqlite"))
    #expect(TestSession(in: folder)("project .").output.contains("~phone.sqlite"))
  }
}
