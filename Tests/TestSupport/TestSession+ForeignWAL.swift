import Foundation

extension TestSession {
  /// Puts the `-wal` of another store, with changes in it, beside a store of a folder.
  public func putForeignWAL(besideStore name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("other"), withIntermediateDirectories: true)
    self("create other/t.sqlite --model sample:Recipes --rows 500")
    let writer = try OtherProgram(using: folder.path("other/t.sqlite"))
    try writer.run("UPDATE ZCHEF SET Z_OPT = 9")
    try writer.run("UPDATE ZRECIPE SET Z_OPT = 9")
    try FileManager.default.copyItem(
      atPath: folder.path("other/t.sqlite-wal"), toPath: folder.path("\(name)-wal"))
    writer.close()
  }
}
