import Foundation

/// The public declarations of a Swift source file, without bodies and comments, in the order of the file.
///
/// It relies on the layout of swift-format: one declaration a line or more, members indented by two spaces,
/// and an access level on each public member.
///
/// ```swift
/// PublicInterface(of: "public struct A {\n  public let b: Int\n  var c = 1\n}").declarations
/// // ["struct A", "  let b: Int"]
/// ```
struct PublicInterface {
  var declarations: [String] = []
  /// The declarations without a documentation comment; those of an extension inherit one.
  var undocumented: [String] = []

  init(of source: String) {
    /// What the members of the open declaration are: `nil` where they are not public by themselves.
    var members: String?
    var (isExtension, isDocumented) = (false, false)
    var lines = source.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = lines.popFirst() {
      let text = line.trimmingPrefix { $0 == " " }
      let depth = line.count - text.count
      if text.hasPrefix("///") { isDocumented = true }
      guard !text.hasPrefix("//"), !text.isEmpty else { continue }
      defer { isDocumented = text.hasPrefix("@") && isDocumented }
      if depth == 0 { (members, isExtension) = (nil, text.hasPrefix("extension ")) }
      let isPublic = text.hasPrefix("public ") || text.contains(" public import ")
      let isMember = depth == 2 && members.map { Self.begins(text, $0) } == true
      if depth == 0, isExtension { declarations.append(Self.head(of: text)) }
      guard isPublic || isMember else { continue }
      var declaration = String(text)
      while Self.isOpen(declaration), let next = lines.popFirst() {
        declaration += " " + next.trimmingPrefix { $0 == " " }
      }
      declaration = Self.head(of: declaration.replacing("( ", with: "(").replacing(" )", with: ")"))
      declarations.append((depth == 2 ? "  " : "") + declaration)
      if !isDocumented, !isExtension, !declaration.contains("import ") {
        undocumented.append(declaration)
      }
      if depth == 0 {
        members =
          declaration.hasPrefix("protocol ")
          ? "func var static init mutating" : declaration.hasPrefix("enum ") ? "case" : nil
      }
    }
    // An extension without a public member says nothing.
    declarations = declarations.enumerated().filter { index, declaration in
      guard declaration.hasPrefix("extension ") else { return true }
      return declaration.contains(": ")
        || index + 1 < declarations.count && declarations[index + 1].hasPrefix("  ")
    }.map(\.element)
  }

  private static func begins(_ text: Substring, _ keywords: String) -> Bool {
    keywords.split(separator: " ").contains { text.hasPrefix($0 + " ") || text.hasPrefix($0 + "(") }
  }

  private static func isOpen(_ text: String) -> Bool {
    text.count { $0 == "(" } > text.count { $0 == ")" }
  }

  /// A declaration up to its body.
  private static func head(of text: some StringProtocol) -> String {
    var head = text.hasPrefix("public ") ? String(text.dropFirst(7)) : String(text)
    if let body = head.range(of: " {") { head = String(head[..<body.lowerBound]) }
    return head
  }
}
