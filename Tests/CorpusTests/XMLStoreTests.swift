import Foundation
import StrataArchives
import TestSupport
import Testing

@Suite("XML stores of Core Data", .needsCorpus)
struct XMLStoreTests {
  static func documents() throws -> [(path: String, bytes: [UInt8])] {
    var found: [(path: String, bytes: [UInt8])] = []
    let files = FileManager.default.enumerator(atPath: Corpus.folder.path)
    while let path = files?.nextObject() as? String {
      guard path.hasSuffix("xcmapping.xml") || path.hasSuffix(".mslice") else { continue }
      found.append((path, [UInt8](try Data(contentsOf: URL(fileURLWithPath: Corpus.path(path))))))
    }
    return found
  }

  @Test("read, written and read again without loss; Core Data's own documents byte for byte")
  func roundTrip() throws {
    let documents = try Self.documents()
    #expect(documents.count == 19)
    for (path, bytes) in documents {
      let database = try XMLDatabase(reading: bytes)
      #expect(!database.objects.isEmpty, "\(path)")
      let written = database.encoded()
      #expect(try XMLDatabase(reading: written) == database, "\(path)")
      // The others were written by another program, which breaks lines elsewhere.
      if path.hasSuffix("xcmapping.xml") { #expect(written == bytes, "\(path)") }
    }
  }
}
