#if os(Linux)
  import Foundation
  import Glibc
  import StrataBase
  import TestSupport
  import Testing

  @testable import StrataStore

  @Suite("Programs that have a store open")
  struct StoreUsersTests {
    @Test("another program is found, a fork before its exec is not")
    func users() throws {
      let folder = try TemporaryFolder()
      let path = folder.path("t.sqlite")
      try SampleStore.topics(at: path)
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      #expect(StoreUsers.others(of: path).isEmpty)

      // Swift hides the call, which is what Foundation begins another program with.
      let found = try #require(dlsym(nil, "fork"))
      let fork = unsafeBitCast(found, to: (@convention(c) () -> pid_t).self)
      let copy = fork()
      if copy == 0 { while true { pause() } }
      defer {
        kill(copy, SIGKILL)
        waitpid(copy, nil, 0)
      }
      let inherited = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(copy)/fd")
      #expect(inherited.contains(String(file.fileDescriptor)))
      #expect(StoreUsers.others(of: path).isEmpty)

      let other = try OtherProgram(using: path)
      try other.run("SELECT count(*) FROM ZTOPIC")
      #expect(StoreUsers.others(of: path).count == 1)
      other.close()
      try file.close()
    }
  }
#endif
