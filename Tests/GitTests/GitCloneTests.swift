import Foundation
import StrataBase
import StrataGit
import TestSupport
import Testing

@Suite("Shallow and partial clones")
struct GitCloneTests {
  /// A repository with two versions and the tags v1 and v2.
  private func source() throws -> GitFixture {
    let fixture = try GitFixture()
    try fixture.commit(["contents": "1"])
    try fixture.git("tag", "v1")
    try fixture.commit(["contents": "2"])
    try fixture.git("tag", "v2")
    try fixture.git("config", "uploadpack.allowFilter", "true")
    return fixture
  }

  private func clone(_ source: GitFixture, _ options: String...) throws -> GitFixture {
    let url = "file://\(source.path)"
    // The fixture runs git in its own folder: the clone is beside it.
    switch options.count {
    case 1: try source.git("clone", "--quiet", options[0], url, "../clone")
    default: try source.git("clone", "--quiet", options[0], options[1], url, "../clone")
    }
    return try GitFixture(in: source.folder, existing: "clone")
  }

  @Test("a shallow clone lacks older tags and commits, and the error has the fix")
  func shallow() throws {
    let source = try source()
    let first = try source.id("v1")
    let fixture = try clone(source, "--depth=1")
    let repository = try fixture.repository()
    #expect(repository.isShallow && !repository.isPartial)
    #expect(try repository.tags(matching: "*").map(\.name) == ["v2"])
    let lacking = GitClone(isShallow: true, isPartial: false)
    let errors = [
      gitError { _ = try repository.commit("v1") },
      gitError { _ = try repository.tree(of: first, where: all) },
    ]
    #expect(
      errors == [.unknownRevision("v1", clone: lacking), .missingObject(first, clone: lacking)])
    for error in errors {
      #expect(error?.diagnostic.fix?.contains("git fetch --unshallow --tags") == true)
      #expect(error?.diagnostic.fix?.contains("fetch-depth: 0") == true)
    }
    try fixture.git("fetch", "--quiet", "--unshallow", "--tags")
    #expect(!repository.isShallow)
    #expect(try repository.tags(matching: "*").map(\.name) == ["v1", "v2"])
    #expect(try repository.tree(of: first, where: all).paths == ["contents"])
  }

  @Test("a partial clone lacks blobs; nothing is fetched, and the error has the fix")
  func partial() throws {
    let source = try source()
    let fixture = try clone(source, "--filter=blob:none", "--no-checkout")
    let repository = try fixture.repository()
    #expect(repository.isPartial && !repository.isShallow)
    let before = try fixture.folder.state()
    for tag in try repository.tags(matching: "*") {
      let tree = try repository.tree(of: tag.commit, where: all)
      let blob = try #require(tree.entries.first?.id)
      let error = gitError { _ = try repository.blob(blob) }
      #expect(
        error == .missingObject(blob, clone: GitClone(isShallow: false, isPartial: true)))
      #expect(error?.diagnostic.fix?.contains("git fetch --refetch --no-filter") == true)
    }
    #expect(try fixture.folder.state() == before)
    try fixture.git("fetch", "--quiet", "--refetch", "--no-filter", "--tags")
    let tree = try repository.tree(of: repository.commit("v1"), where: all)
    #expect(try repository.text(tree.entries.first?.id) == "1")
  }

  @Test("a remote of a partial clone that names a program does not run it")
  func hostileRemote() throws {
    let source = try source()
    let fixture = try clone(source, "--filter=blob:none", "--no-checkout")
    let marker = source.folder.path("marker")
    let program = "touch '\(marker)'; false"
    try fixture.git("config", "remote.origin.uploadpack", program)
    try fixture.git("config", "core.sshCommand", program)
    try fixture.git("config", "protocol.allow", "always")
    try fixture.git("config", "protocol.file.allow", "always")
    try fixture.git("config", "protocol.ext.allow", "always")
    let blob = try source.id("v1:contents")
    let url = "file://\(source.path)"
    for remote in [url, "ext::sh -c 'touch% \(marker)'", "ssh://localhost/x", "x::y"] {
      try fixture.git("config", "remote.origin.url", remote)
      let repository = try fixture.repository()
      guard case .missingObject(blob, _)? = gitError({ _ = try repository.blob(blob) }) else {
        Issue.record("\(remote): the missing object is not reported")
        continue
      }
      #expect(!FileManager.default.fileExists(atPath: marker), "\(remote)")
    }
  }
}
