import Foundation
package import StrataCommands
import StrataRendering

/// A session in a folder, as a test types into it.
package struct TestSession {
  package let session: Session
  private let evaluator: CommandEvaluator

  package init(in folder: TemporaryFolder) {
    self.init(Session(folder: folder.url.path))
  }

  package init(_ session: Session) {
    self.session = session
    evaluator = CommandEvaluator(session: session)
  }

  @discardableResult
  package func callAsFunction(_ line: String) -> Evaluation { evaluator.evaluate(line: line) }

  @discardableResult
  package func callAsFunction(arguments: [String]) -> Evaluation {
    evaluator.evaluate(arguments: arguments)
  }
}
