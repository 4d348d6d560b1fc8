internal import StrataArchives
internal import StrataBase
internal import StrataEssentials
internal import StrataNotebook
internal import StrataSamples

/// A lesson with its name: a built-in one, or a notebook of a user.
struct LessonSource {
  /// `versions`; for a notebook, its name without the extension.
  let name: String
  let lesson: Lesson
  /// The notebook and its folder; `nil` for a built-in lesson.
  let file: File?

  struct File {
    let path: String
    let folder: String
  }

  /// The built-in lessons in their order.
  static let builtIn: [LessonSource] = BuiltInLesson.all.compactMap { try? LessonSource($0) }

  init(_ text: BuiltInLesson) throws {
    name = text.name
    lesson = try Lesson(reading: SessionDocument(reading: text.text, form: .markdown))
    file = nil
  }

  /// Reads a notebook and the hidden checks in `NAME.checks` beside it.
  fileprivate init(_ typed: String, in session: Session) throws {
    let path = try session.path(typed)
    let (document, folder) = try session.document(typed)
    name = URL(fileURLWithPath: typed).deletingPathExtension().lastPathComponent
    var lesson: Lesson
    do {
      lesson = try Lesson(reading: document)
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: typed)
    }
    // Beside the name that was typed, and beside the file that a link leads to.
    let target = URL(fileURLWithPath: RealPath.resolving(path))
      .deletingPathExtension().path
    for checks in Set(["\(folder)/\(name)", target]).sorted().map({ $0 + ".checks" }) {
      guard let hidden = try Self.hiddenChecks(checks, in: session) else { continue }
      do {
        lesson = try lesson.adding(hiddenChecks: hidden)
      } catch {
        throw error.diagnostic.located(in: session.shown(checks))
      }
    }
    self.lesson = lesson
    file = File(path: path, folder: folder)
  }

  /// The maximum size of a file of hidden checks in bytes.
  private static let hiddenLimit = 1_000_000

  private static func hiddenChecks(_ typed: String, in session: Session) throws -> String? {
    let path = try session.path(typed)
    do {
      return String(decoding: try FileBytes.read(path, limit: hiddenLimit), as: UTF8.self)
    } catch FileError.notFound where FileStatus(path) == nil {
      return nil
    } catch let error as any DiagnosticError {
      throw error.diagnostic.located(in: session.shown(typed))
    }
  }
}

extension Session {
  /// The lesson with a number or name, or in a notebook.
  func lesson(_ typed: String) throws -> LessonSource {
    let known = LessonSource.builtIn
    if let number = Int(typed) {
      guard (1...known.count).contains(number) else {
        throw Diagnostic(
          id: "lesson.unknown", what: "there is no lesson \(number)",
          fix: "`lesson` lists the \(known.count) lessons")
      }
      return known[number - 1]
    }
    if let lesson = known.first(where: { $0.name == typed.lowercased() }) { return lesson }
    guard SessionForm.form(forPath: typed) != nil || Self.isPath(typed) else {
      throw Diagnostic(
        id: "lesson.unknown", what: "there is no lesson \(typed)",
        fix: NearestName.of(typed, in: known.map(\.name)).map {
          NearestName.question("lesson \($0)")
        }
          ?? "`lesson` lists the lessons; a lesson of your own is a notebook: `lesson NAME.md`")
    }
    return try LessonSource(typed, in: self)
  }
}
