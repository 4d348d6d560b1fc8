internal import StrataBase

/// A file, a symbolic link or a submodule in a revision or in the index.
///
/// Shape: the names of its path from the root of the repository, at least one.
package struct GitEntry: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case file, executable
    /// A symbolic link (mode 120000); its blob is the target, which is never followed.
    case link
    /// A commit of another repository (mode 160000), which is never read.
    case submodule
    /// A folder: only given to filters, never part of a result.
    case folder

    /// - Parameter mode: As in a tree: `100644`. Others than those that git writes are `nil`.
    init?(mode: some StringProtocol) {
      switch Int(mode, radix: 8) {
      // 0o100664 was written by early versions of git.
      case 0o100644, 0o100664: self = .file
      case 0o100755: self = .executable
      case 0o120000: self = .link
      case 0o160000: self = .submodule
      case 0o40000: self = .folder
      default: return nil
      }
    }
  }

  package var names: [String]
  package var kind: Kind
  package var id: GitObjectID
  /// Whether a sparse checkout leaves it out of the working tree; only known of entries of the index.
  package var isSkipped: Bool

  package init(names: [String], kind: Kind, id: GitObjectID, isSkipped: Bool = false) {
    (self.names, self.kind, self.id, self.isSkipped) = (names, kind, id, isSkipped)
  }

  /// The path from the root of the repository: `App/App.xcdatamodeld/.xccurrentversion`.
  package var path: String { names.joined(separator: "/") }

  /// Whether it has contents that are a regular file.
  package var isFile: Bool { kind == .file || kind == .executable }

  static func precedes(_ a: GitEntry, _ b: GitEntry) -> Bool {
    a.path.utf8.lexicographicallyPrecedes(b.path.utf8)
  }
}

/// A filter's decision about an entry.
package enum GitChoice: Sendable, Hashable {
  /// A file, a link or a submodule is part of the result; so is everything below a folder, without asking again.
  case include
  /// The entries of a folder are asked about; a file is left out.
  case search
  /// It is left out; a folder is not even read.
  case exclude
}

/// Chooses entries by the names of their path and their kind. The same arguments must have the same answer: what was
/// found below an unchanged folder is remembered.
package typealias GitFilter = (_ names: [String], _ kind: GitEntry.Kind) -> GitChoice

/// Checks of the names in a tree or an index.
enum GitName {
  /// Whether a name leads out of its folder or, on some file system, into a git folder.
  static func isHostile(_ name: String) -> Bool {
    if name.isEmpty || name == "." || name == ".." { return true }
    if name.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "/") }) { return true }
    // HFS+ ignores some characters and case; Windows ignores dots and spaces at the end, and has short names.
    var plain = name.unicodeScalars.filter { !isIgnored($0) }[...]
    while let last = plain.last, last == "." || last == " " { plain.removeLast() }
    return [".git", "git~1"].contains(String(plain).lowercased())
  }

  private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C...0x200F, 0x202A...0x202E, 0x206A...0x206F, 0xFEFF: true
    default: false
    }
  }

  /// Text of bytes, with replacement characters where they are not valid UTF-8.
  static func text(_ bytes: ArraySlice<UInt8>) -> (text: String, isExact: Bool) {
    if let text = String(validating: bytes, as: UTF8.self) { return (text, true) }
    return (String(decoding: bytes, as: UTF8.self), false)
  }
}
