/// How a user likes the prompt; nothing that an answer depends on.
public struct Settings: Sendable, Hashable {
  public enum Editing: String, Sendable, CaseIterable {
    case emacs, vi
  }

  public enum Switch: String, Sendable, CaseIterable {
    case on, off
  }

  public var editing = Editing.emacs
  public var pager = Switch.on

  public init() {}
}
