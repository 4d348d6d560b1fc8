internal import CSystem
internal import StrataEssentials

/// Writes a file, or the entries of a folder, to the disk, so that a power cut does not undo it.
///
/// - Returns: Whether that is done; `errno` has the reason why not.
package func syncToDisk(_ file: Int32) -> Bool { strata_sync(file) == 0 }
