extension String {
  /// Whether there are only spaces and tabs.
  var isBlank: Bool { utf8.allSatisfy(\.isBlank) }
}

extension UInt8 {
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let backslash = UInt8(ascii: "\\")

  var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
  var isLineBreak: Bool { self == .lineFeed || self == .carriageReturn }
}

extension Collection where Element == UInt8, Self: BidirectionalCollection {
  var endsInEmptyLine: Bool {
    suffix(4).filter { $0 != .carriageReturn }.suffix(2).elementsEqual([.lineFeed, .lineFeed])
  }
}
