internal import CSystem
internal import StrataEssentials

/// The mark of a store that a migration has kept: an extended attribute of the file, with its name.
///
/// A user can give a copy such a name, too: only a file with the mark may be deleted for the user. A copy of the file, or
/// one on a file system without such attributes, has no mark.
enum KeptMark {
  private static let attribute = "user.strata.kept"

  /// Marks a file, under its current name or the one that it is about to get.
  static func set(on path: String, named name: String? = nil) {
    let name = Array((name ?? URL(fileURLWithPath: path).lastPathComponent).utf8)
    _ = strata_set_attribute(path, attribute, name, name.count)
  }

  static func isSet(on path: String) -> Bool {
    var value = [UInt8](repeating: 0, count: 1024)
    let count = strata_attribute(path, attribute, &value, value.count)
    let name = URL(fileURLWithPath: path).lastPathComponent
    return count > 0 && value.prefix(count).elementsEqual(name.utf8)
  }
}
