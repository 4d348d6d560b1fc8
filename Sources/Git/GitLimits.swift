/// Limits of reading a repository; what is beyond a limit is refused.
///
/// Each lies far above what a real repository of an app needs.
///
/// ```swift
/// var limits = GitLimits()
/// limits.blobSize = 1 << 20
/// ```
package struct GitLimits: Sendable, Hashable {
  /// Nesting depth of folders.
  package var depth = 128
  /// Entries of the trees of one revision, and of the index.
  package var entryCount = 2_000_000
  /// Bytes of a blob, unless its reader is given another limit.
  package var blobSize = 256 << 20
  /// Bytes of a tree, a commit or a tag.
  package var treeSize = 64 << 20
  /// Bytes of all objects that one ``GitRepository`` reads, and of the files that are written for a revision.
  package var totalSize = 4 << 30
  /// Bytes of the tree objects that are kept in memory.
  package var cacheSize = 64 << 20
  /// How long a git command may write nothing.
  package var patience = Duration.seconds(60)

  package init() {}
}
