internal import Synchronization

/// The committed changes of users' files whose answer has not been written yet: sentences such as
/// `migration complete: phone.sqlite is at Model5`.
///
/// A commit is never undone. Whoever ends the program before the answer is written, or cannot write it,
/// says these sentences instead.
package enum UntoldWork {
  private static let sentences = Mutex<[String]>([])

  /// Adds a sentence, as soon as what it says is committed.
  package static func add(_ sentence: String) {
    sentences.withLock { known in
      if !known.contains(sentence) { known.append(sentence) }
    }
  }

  /// Forgets them all: their answer has been written.
  ///
  /// - Returns: The sentences, in the order of the commits.
  @discardableResult
  package static func take() -> [String] {
    sentences.withLock { known in
      defer { known = [] }
      return known
    }
  }

  package static var isEmpty: Bool { sentences.withLock { $0.isEmpty } }
}
