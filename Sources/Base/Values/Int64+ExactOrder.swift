extension Int64 {
  /// Whether this integer is below a real, compared exactly: not every integer of 64 bits is a Double.
  ///
  /// ```swift
  /// Int64(9_007_199_254_740_992).isLess(than: 9_007_199_254_740_992)  // false
  /// Int64(9_007_199_254_740_991).isLess(than: 9_007_199_254_740_992)  // true
  /// ```
  package func isLess(than real: Double) -> Bool {
    real >= 0x1p63 || real > -0x1p63 && self < Int64(real.rounded(.up))
  }

  /// Whether this integer is above a real, compared exactly.
  package func isGreater(than real: Double) -> Bool {
    real < -0x1p63 || real < 0x1p63 && Int64(real.rounded(.down)) < self
  }
}
