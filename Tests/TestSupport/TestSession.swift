import Foundation
public import StrataCommands
import StrataRendering

/// A session in a folder, as a test types into it.
public struct TestSession {
  public let session: Session
  private let evaluator: CommandEvaluator

  public init(in folder: TemporaryFolder) {
    self.init(Session(folder: folder.url.path))
  }

  public init(_ session: Session) {
    self.session = session
    evaluator = CommandEvaluator(session: session)
  }

  @discardableResult
  public func callAsFunction(_ line: String) -> Evaluation { evaluator.evaluate(line: line) }

  @discardableResult
  public func callAsFunction(words: [String]) -> Evaluation { evaluator.evaluate(words: words) }
}
