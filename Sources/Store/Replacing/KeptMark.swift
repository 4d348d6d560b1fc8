internal import CSystem
internal import StrataArchives
internal import StrataEssentials

/// The mark of a store that a migration has kept: an extended attribute of the file.
///
/// A user can give a copy such a name, too: only a file with the mark may be deleted for the user. The mark names the
/// file as it was kept, since an attribute stays with a store that is restored, and with a copy of all attributes.
enum KeptMark {
  private static let attribute = "user.strata.kept"

  /// Marks a file whose content is final, under its current name or the one that it is about to get.
  static func set(on path: String, named name: String? = nil) {
    let name = name ?? URL(fileURLWithPath: path).lastPathComponent
    let text = Array(text(of: path, named: name).utf8)
    _ = strata_set_attribute(path, attribute, text, text.count)
  }

  /// Whether a file is as a migration has kept it.
  static func isSet(on path: String) -> Bool {
    let name = URL(fileURLWithPath: path).lastPathComponent
    return read(path).map { $0 == text(of: path, named: name) } ?? false
  }

  /// Whether a migration has kept a file under its name; it may have changed since.
  static func wasSet(on path: String) -> Bool {
    read(path)?.hasSuffix(" \(URL(fileURLWithPath: path).lastPathComponent)") ?? false
  }

  private static func read(_ path: String) -> String? {
    var value = [UInt8](repeating: 0, count: 1024)
    let count = strata_attribute(path, attribute, &value, value.count)
    return count > 0 ? String(decoding: value.prefix(count), as: UTF8.self) : nil
  }

  /// The file, its size and its time, and the name; the name alone for no file.
  private static func text(of path: String, named name: String) -> String {
    guard let stamp = FileStatus(path)?.stamp else { return name }
    let (seconds, attoseconds) = stamp.modified.components
    return "\(stamp.identity.inode) \(stamp.size) \(seconds) \(attoseconds) \(name)"
  }
}
