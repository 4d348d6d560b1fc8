#if canImport(_FoundationICU)
  import Foundation
  @testable import StrataExpressions
  import TestSupport
  import Testing

  /// Our folding and patterns against those of Foundation, which NSPredicate uses.
  @Suite("Folding and patterns")
  struct TextFoldingTests {
    /// After which Foundation's own tables on Linux end.
    private static let lastVersion = (major: 8, minor: 0)

    private static func isKnown(_ scalar: Unicode.Scalar) -> Bool {
      guard let age = scalar.properties.age else { return false }
      return age <= lastVersion
    }

    private static func foundation(
      _ text: String, case ignoresCase: Bool, diacritics ignoresDiacritics: Bool
    ) -> String {
      var options: String.CompareOptions = []
      if ignoresCase { options.insert(.caseInsensitive) }
      if ignoresDiacritics { options.insert(.diacriticInsensitive) }
      return text.folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }

    /// Cherokee has more small letters since Unicode 8, and some marks combine more since Unicode 16: there, Foundation
    /// on Linux has older tables than ICU.
    private static func isExcepted(_ scalar: Unicode.Scalar, diacritics: Bool) -> Bool {
      let value = scalar.value
      return (0x13A0...0x13FF).contains(value) || (0xAB70...0xABBF).contains(value)
        || diacritics && scalar.properties.generalCategory == .spacingMark
    }

    @Test(
      "every character is folded as by Foundation, alone and after others", .part(2),
      arguments: [(true, false), (false, true), (true, true)])
    func everyCharacter(ignoresCase: Bool, ignoresDiacritics: Bool) {
      var differing: [String] = []
      for value in UInt32(0x80)...0x2FFFF {
        guard let scalar = Unicode.Scalar(value), Self.isKnown(scalar),
          !Self.isExcepted(scalar, diacritics: ignoresDiacritics)
        else { continue }
        for before in ["", "a", "\u{628}"] {
          let text = before + String(scalar)
          let folded = text.folded(case: ignoresCase, diacritics: ignoresDiacritics)
          let known = Self.foundation(text, case: ignoresCase, diacritics: ignoresDiacritics)
          if Array(folded.utf8) != Array(known.utf8) {
            differing.append("\(before) \(String(value, radix: 16))")
          }
        }
      }
      #expect(differing.isEmpty, "\(differing.count): \(differing.prefix(20))")
    }

    @Test("Cherokee letters of both cases are equal without case")
    func cherokee() {
      for value in UInt32(0x13A0)...0x13EF {
        guard let upper = Unicode.Scalar(value), let lower = Unicode.Scalar(value - 0x13A0 + 0xAB70)
        else { continue }
        #expect(
          String(upper).folded(case: true, diacritics: false)
            == String(lower).folded(case: true, diacritics: false))
      }
    }

    @Test("texts of many marks are folded as by Foundation")
    func texts() {
      for text in [
        "Ålesund", "A\u{30A}lesund", "ÉCOLE", "straße", "ΌΔΟΣ", "Ёлка",
        "e\u{301}\u{323}a\u{323}\u{301}",
        "\u{628}\u{64E}\u{301}", "カ\u{3099}", "한글", "🇩🇪👍🏽", "ﬁ", "İı", "\u{212B}≠↚", "",
      ] {
        for (ignoresCase, ignoresDiacritics) in [(true, false), (false, true), (true, true)] {
          #expect(
            Array(text.folded(case: ignoresCase, diacritics: ignoresDiacritics).utf8)
              == Array(
                Self.foundation(text, case: ignoresCase, diacritics: ignoresDiacritics).utf8),
            "\(text) \(ignoresCase) \(ignoresDiacritics)")
        }
      }
    }

    @Test("patterns are valid and match as those of NSRegularExpression")
    func patterns() {
      let texts = [
        "", "a", "ab", "AB", "aab", "abc123", "äé", "a\u{308}", "x y", "foo-bar_baz", "a.b", "\n",
        "a\nb", "🎈", "ß",
        "ſ", "K", "٣", "中文", "aaaa", "(a)", "\\",
      ]
      for pattern in [
        "", "a", "a*", "[a-z]+", "(?i)ab", "\\w+", "\\d+", "\\p{L}+", "\\p{Lu}", "\\p{script=Han}+",
        "[[:alpha:]]+",
        "[^a]", ".", ".*", "(?s).*", "a|b", "(a)(b)?", "(?<x>a)\\k<x>", "a{2,}", "a++", "\\bx\\b.*",
        "\\Qa.b\\E",
        "(?=a)a", "(?<=a)b", "[\\u0061]", "\\x{1F388}", "\\R", "\\h", "[a&&[^b]]", "\\X",
        "\\N{LATIN SMALL LETTER A}",
        "(", ")", "[", "a{", "*", "\\", "\\j", "\\1", "(?<n", "[b-a]", "(?#x)a", "^a$", "\\Aa\\z",
        "\\S", "ss", "k",
      ] {
        for ignoresCase in [false, true] {
          let own = RegularExpression(pattern, ignoresCase: ignoresCase)
          let known = try? NSRegularExpression(
            pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
          #expect((own == nil) == (known == nil), "\(pattern)")
          guard let own, let known else { continue }
          for text in texts {
            let range = NSRange(location: 0, length: text.utf16.count)
            let match = known.firstMatch(in: text, options: .anchored, range: range)
            #expect(own.matches(text) { true } == (match != nil), "\(pattern) \(text)")
          }
        }
      }
    }

    @Test("a pattern that backtracks forever asks whether to go on, and ends")
    func endless() throws {
      let pattern = try #require(RegularExpression("(a*)*b"))
      var count = 0
      let text = String(repeating: "a", count: 40)
      let result = pattern.matches(text) {
        count += 1
        return count < 3
      }
      #expect(result == nil && count == 3)
      #expect(pattern.matches("aab") { true } == true)
    }
  }
#endif
