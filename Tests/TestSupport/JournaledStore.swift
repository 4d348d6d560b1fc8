import Foundation

/// A store of topics in a folder, with something beside it that another program has left, or still uses.
package struct JournaledStore {
  package enum Journal: String, CaseIterable, Sendable {
    case none, liveWAL, deadWAL, hotJournal
  }

  /// Relative to the folder.
  package let path: String
  /// The store's own folder, relative too.
  package let place: String
  private let folder: TemporaryFolder
  private let writer: OtherProgram

  package init(_ journal: Journal, in folder: TemporaryFolder) throws {
    try SampleStore.topics(at: folder.path("live/t.sqlite"))
    let writer = try OtherProgram(using: folder.path("live/t.sqlite"))
    switch journal {
    case .none: break
    case .liveWAL, .deadWAL:
      try writer.run("PRAGMA journal_mode = WAL")
      try writer.run("UPDATE ZTOPIC SET ZPRESENTERNAME = 'Zoe'")
    case .hotJournal: try writer.beginHalfTransaction()
    }
    // What a dead process leaves has no -shm that anybody would trust.
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path("live"))
    where journal == .liveWAL || !file.hasSuffix("-shm") {
      try FileManager.default.copyItem(
        atPath: folder.path("live/\(file)"), toPath: folder.path("dead-\(file)"))
    }
    (place, path) = journal == .liveWAL ? ("live", "live/t.sqlite") : (".", "dead-t.sqlite")
    self.folder = folder
    self.writer = writer
  }

  /// The options of every way to migrate.
  package static let options = [
    "--strategy default", "--strategy lightweight", "--strategy hybrid", "--stages sample:Topics",
  ]

  /// Every byte, time and name below the folder, and when something was last made or removed beside the store.
  package struct State: Equatable {
    var files: [String: FileState]
    var folderTime: Date?
  }

  package func state() throws -> State {
    State(
      files: try folder.state(),
      folderTime: try FileManager.default.attributesOfItem(atPath: folder.path(place))[
        .modificationDate] as? Date)
  }

  /// Lets the other program end.
  package func close() { writer.close() }
}
