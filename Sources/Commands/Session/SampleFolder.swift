internal import StrataBase
internal import StrataEssentials
internal import StrataSQLite
internal import StrataSamples
internal import StrataStore

/// The sample stores that a session has named, in a private folder that is deleted with the session. They are created
/// when they are first named, and never changed.
final class SampleFolder {
  private let folder: PrivateFolder

  /// - Throws: ``StoreError/noTemporaryFolder(reason:)``.
  init() throws(StoreError) { folder = try PrivateFolder() }

  func path(of store: SampleStore) throws -> String {
    let path = "\(folder.path)/\(store.name).sqlite"
    if !FileManager.default.fileExists(atPath: path) { try store.write(to: path) }
    return path
  }

  func contains(_ path: String) -> Bool { path.hasPrefix(folder.path + "/") }
}

extension Session {
  /// The names of all samples, models and stores: `sample:Topics`.
  static let sampleNames =
    (Sample.all.map(\.name) + SampleStore.all.map(\.name)).map { samplePrefix + $0 }

  /// The file of the sample store with a name, such as `sample:Kitchen`; `nil` for any other text.
  func sampleStore(_ name: String) throws(Diagnostic) -> String? {
    guard name.hasPrefix(Self.samplePrefix),
      let store = SampleStore.named(String(name.dropFirst(Self.samplePrefix.count)))
    else { return nil }
    do {
      let folder = try sampleFolder ?? SampleFolder()
      sampleFolder = folder
      let path = try folder.path(of: store)
      showSample(path, as: name)
      return path
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: name)
    } catch {
      throw unknownSample(name)
    }
  }

  /// The error for an unknown sample, with the most similar name.
  func unknownSample(_ name: String) -> Diagnostic {
    let bundle = String(name.prefix { $0 != "/" })
    if name != bundle, Self.sampleNames.contains(bundle) {
      return Diagnostic(
        id: "reference.unknownSample", what: "\(name) is no sample of its own",
        fix: "`load \(bundle)` loads it with its bundle; other commands take \(name) as it is")
    }
    return Diagnostic(
      id: "reference.unknownSample",
      what: "there is no sample \(name.dropFirst(Self.samplePrefix.count))",
      fix: NearestName.of(name, in: Self.sampleNames).map(NearestName.question)
        ?? "`samples` lists them")
  }

  /// - Throws: ``Diagnostic`` if the store is a sample, which cannot be changed.
  func checkIsNoSample(_ path: String) throws(Diagnostic) {
    guard sampleFolder?.contains(path) == true else { return }
    throw Diagnostic(
      id: "store.isSample", what: "a sample store cannot be changed",
      location: Location(file: shown(path)),
      fix: "change a copy: `create copy.sqlite --copy \(shown(path))`")
  }
}
