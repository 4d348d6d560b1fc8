internal import StrataBase

extension Session {
  /// Records a commit to a user's file, in case the program ends before its answer is shown.
  ///
  /// Files written by a replay are private to the replay.
  func noteDone(_ sentence: String) {
    if overlay == nil { UnreportedWork.add(sentence) }
  }
}
