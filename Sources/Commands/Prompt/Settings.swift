/// The settings of the prompt; answers do not depend on them.
package struct Settings: Sendable, Hashable {
  package enum Editing: String, Sendable, CaseIterable {
    case emacs, vi
  }

  package enum Switch: String, Sendable, CaseIterable {
    case on, off
  }

  package var editing = Editing.emacs
  package var pager = Switch.on
  package var timer = Switch.off

  package init() {}
}
