/// How a user likes the prompt; nothing that an answer depends on.
package struct Settings: Sendable, Hashable {
  package enum Editing: String, Sendable, CaseIterable {
    case emacs, vi
  }

  package enum Switch: String, Sendable, CaseIterable {
    case on, off
  }

  package var editing = Editing.emacs
  package var pager = Switch.on

  package init() {}
}
