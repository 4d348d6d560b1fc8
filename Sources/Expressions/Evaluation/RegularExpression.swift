#if canImport(_FoundationICU)
  internal import _FoundationICU

  /// A regular expression of ICU, which NSPredicate uses for MATCHES.
  final class RegularExpression {
    private let expression: OpaquePointer

    /// - Returns: `nil` for an invalid pattern.
    init?(_ pattern: String, ignoresCase: Bool = false) {
      let units = Array(pattern.utf16)
      var status = U_ZERO_ERROR
      let opened = swift_uregex_open(
        units, Int32(clamping: units.count),
        ignoresCase ? UInt32(UREGEX_CASE_INSENSITIVE.rawValue) : 0, nil, &status)
      guard let opened, status.rawValue <= U_ZERO_ERROR.rawValue else { return nil }
      expression = opened
      // What needs the tables that the static program lacks fails only here.
      swift_uregex_setTimeLimit(opened, 1, &status)
      swift_uregex_setText(opened, [0x61], 1, &status)
      _ = swift_uregex_lookingAt(opened, 0, &status)
      let ends = [U_REGEX_TIME_OUT, U_REGEX_STACK_OVERFLOW]
      guard status.rawValue <= U_ZERO_ERROR.rawValue || ends.contains(status) else { return nil }
      status = U_ZERO_ERROR
      swift_uregex_setTimeLimit(opened, 0, &status)
    }

    deinit { swift_uregex_close(expression) }

    /// Whether it matches at the beginning of a text.
    ///
    /// - Parameter mayContinue: Is called every 10,000 steps.
    /// - Returns: `nil` if it was ended, or needs more memory than ICU's limit for its stack.
    func matches(_ text: String, while mayContinue: () -> Bool) -> Bool? {
      withoutActuallyEscaping(mayContinue) { mayContinue in
        let context = Context(mayContinue)
        // The text of an empty array has no address.
        return (Array(text.utf16) + [0]).withUnsafeBufferPointer { units in
          var status = U_ZERO_ERROR
          swift_uregex_setMatchCallback(
            expression,
            { context, _ in
              let context = context.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
              return context?.mayContinue() == true ? 1 : 0
            }, Unmanaged.passUnretained(context).toOpaque(), &status)
          swift_uregex_setText(
            expression, units.baseAddress, Int32(clamping: units.count - 1), &status)
          let isMatch = swift_uregex_lookingAt(expression, 0, &status) != 0
          return status.rawValue <= U_ZERO_ERROR.rawValue ? isMatch : nil
        }
      }
    }

    private final class Context {
      let mayContinue: () -> Bool

      init(_ mayContinue: @escaping () -> Bool) { self.mayContinue = mayContinue }
    }
  }
#else
  internal import Foundation

  /// A regular expression of ICU, which NSPredicate uses for MATCHES.
  final class RegularExpression {
    private let expression: NSRegularExpression

    /// - Returns: `nil` for an invalid pattern.
    init?(_ pattern: String, ignoresCase: Bool = false) {
      guard
        let expression = try? NSRegularExpression(
          pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
      else { return nil }
      self.expression = expression
    }

    /// Whether it matches at the beginning of a text.
    ///
    /// - Parameter mayContinue: Is called every 10,000 steps.
    /// - Returns: `nil` if it was ended, or needs more memory than ICU's limit for its stack.
    func matches(_ text: String, while mayContinue: () -> Bool) -> Bool? {
      var result: Bool? = false
      let range = NSRange(location: 0, length: text.utf16.count)
      withoutActuallyEscaping(mayContinue) { mayContinue in
        expression.enumerateMatches(in: text, options: [.reportProgress, .anchored], range: range) {
          match, flags, stop in
          if match != nil {
            result = true
          } else if flags.contains(.internalError) || flags.contains(.progress) && !mayContinue() {
            result = nil
          }
          if result != false { stop.pointee = true }
        }
      }
      return result
    }
  }
#endif
