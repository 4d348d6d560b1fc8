internal import StrataBase

extension Session {
  /// Notes what has been committed to a file of the user's: the program may end before its answer says so.
  ///
  /// What a replay writes, nobody but the replay sees.
  func noteDone(_ sentence: String) {
    if overlay == nil { UntoldWork.add(sentence) }
  }
}
