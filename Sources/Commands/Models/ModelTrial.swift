internal import StrataBase
package import StrataObjectModel

/// An edited copy of a model, which `try` makes.
package struct ModelTrial: Sendable {
  package var document: ModelDocument
  /// The model as it was when it was copied, or when the copy was written over it.
  fileprivate(set) var original: ModelDocument

  init(of original: ModelDocument) { (document, self.original) = (original, original) }
}

extension Session {
  /// Checks that a model has not changed since it was copied, before the copy replaces it.
  ///
  /// - Throws: A diagnostic if it has; errors of reading it.
  func checkOriginal(ofTrial name: String) throws {
    guard let trial = trials[name], try model(name).model.document != trial.original else { return }
    throw Diagnostic(
      id: "model.changedMeanwhile",
      what: "\(name) has changed since `try` copied it: writing the copy would undo that change",
      fix: "`try --reset` discards the edits; then repeat them")
  }

  /// Notes that a copy has been written: where it has replaced the model, further edits continue from there.
  func noteWritten(_ name: String) {
    guard let trial = trials[name], (try? model(name))?.model.document == trial.document else {
      return
    }
    trials[name]?.original = trial.document
  }
}
