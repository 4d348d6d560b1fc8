import Foundation
import StrataBase
import StrataObjectModel
import StrataSQLite
import StrataStore
import TestSupport
import Testing

/// What a new store, or the objects of another one, may be written to.
@Suite("Targets of new stores")
struct StoreFileTests {
  private static func failure(_ work: () throws(StoreError) -> Void) -> StoreError? {
    do throws(StoreError) {
      try work()
      return nil
    } catch {
      return error
    }
  }

  @Test("a new store replaces nothing unasked, and only a store if asked")
  func targets() throws {
    let folder = try TemporaryFolder()
    try SampleStore.topics(at: folder.path("store"))
    try folder.write("", to: "empty")
    try folder.write("text", to: "text")
    try folder.write(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE database SYSTEM \"x\">\n<database/>", to: "xml")
    try folder.write("x", to: "folder/x")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "nowhere")
    for (name, plain, replacing) in [
      ("none", nil, nil), ("store", .alreadyExists, nil), ("empty", .alreadyExists, nil),
      ("xml", .alreadyExists, nil), ("text", .alreadyExists, .notAStore),
      ("folder", .alreadyExists, .isFolder), ("link", .alreadyExists, .notAStore),
    ] as [(String, StoreError?, StoreError?)] {
      for (isReplacing, expected) in [(false, plain), (true, replacing)] {
        let found = Self.failure { () throws(StoreError) in
          try StoreFile.checkTarget(
            folder.path(name), replacing: isReplacing, hasCompanions: true)
        }
        #expect(found == expected, "\(name) \(isReplacing)")
      }
    }
  }

  @Test("objects are appended only to a store of their model")
  func appending() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("store")
    try SampleStore.topics(at: path)
    let before = try folder.state()
    for version in ["Model1", "Model2"] {
      let model = try SampleStore.model("Topics", version)
      let found = Self.failure { () throws(StoreError) in
        _ = try StoreAppending(to: path, model: model)
      }
      #expect(found == (version == "Model1" ? nil : .changedMeanwhile), "\(version)")
    }
    #expect(try folder.state() == before)
  }
}
