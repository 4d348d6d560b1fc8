internal import ArgumentParser
internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataRendering

/// A file of the events of a migration, one JSON object per line.
final class TraceFile {
  private let file: WritableFile
  private let name: String
  /// Whether values of stores are written, independent of the trace level.
  private let isRevealing: Bool
  private var waiting: [UInt8] = []
  private var failure: Diagnostic?

  private static let chunk = 1 << 16

  /// - Parameter name: The file name as the user typed it.
  init(at path: String, name: String, revealing isRevealing: Bool = false) throws {
    do throws(FileError) {
      file = try WritableFile(emptying: path)
    } catch .unreadable(_, let cause) {
      throw Self.unwritable(name, cause)
    } catch .notFound {
      throw Self.unwritable(name, .notFound)
    } catch {
      throw error.diagnostic
    }
    self.name = name
    self.isRevealing = isRevealing
  }

  /// The file also contains the events of a migration that failed.
  deinit { flush() }

  /// - Parameter isRevealing: Whether values of stores are written.
  func write(_ event: TraceEvent, revealing isRevealing: Bool) {
    write(event.json(revealing: isRevealing || self.isRevealing))
  }

  func write(_ value: JSONValue) {
    waiting += (value.line + "\n").utf8
    if waiting.count >= Self.chunk { flush() }
  }

  func flush() {
    do throws(FileCause) {
      try file.write(waiting)
    } catch {
      failure = Self.unwritable(name, error)
    }
    waiting.removeAll(keepingCapacity: true)
  }

  /// - Throws: The error that prevented writing.
  func close() throws {
    flush()
    if let failure { throw failure }
  }

  private static func unwritable(_ name: String, _ cause: FileCause) -> Diagnostic {
    Diagnostic(
      id: "file.unwritable", what: "the trace cannot be written: \(cause.message)",
      location: Location(file: name), fix: cause.fixOfWriting)
  }
}

/// `--trace-json FILE`
struct TraceOptions: ParsableArguments {
  @Option(
    .file,
    "Write the events to a file, one JSON object per line; values only with --reveal.",
    name: .customLong("trace-json")
  )
  var file: String?
}

extension Session {
  /// Creates the file of `--trace-json`.
  ///
  /// - Parameter store: The store being migrated, whose files must not be overwritten.
  /// - Throws: ``Diagnostic`` if the file is one of those.
  func traceFile(
    _ options: TraceOptions, force: Bool = false, beside store: String, revealing: Bool
  ) throws -> TraceFile? {
    guard let typed = options.file else { return nil }
    let path = try newPath(typed, as: .trace, force: force)
    try checkApart(path, typed, from: store, option: "--trace-json", isStore: false)
    return try TraceFile(at: path, name: typed, revealing: revealing)
  }
}
