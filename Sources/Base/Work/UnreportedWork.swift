internal import Synchronization

/// The committed changes of users' files whose answer has not been written yet: sentences such as
/// `migration complete: phone.sqlite is at Model5`.
///
/// A commit is never undone. If the program ends before the answer is written, or cannot write it, these sentences
/// are printed instead.
package enum UnreportedWork {
  private static let sentences = Mutex<[String]>([])

  /// Adds a sentence, directly after the commit.
  package static func add(_ sentence: String) {
    sentences.withLock { known in
      if !known.contains(sentence) { known.append(sentence) }
    }
  }

  /// Removes all sentences: the answer has been written.
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
