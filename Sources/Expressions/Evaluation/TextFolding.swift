#if canImport(_FoundationICU)
  internal import _FoundationICU

  extension String {
    /// The text for comparisons that ignore case or diacritics, with canonically equivalent texts made equal.
    ///
    /// Diacritics are the marks after a character below U+0510: Latin, Greek and Cyrillic letters, signs. After others,
    /// only marks below it.
    ///
    /// Source: the results of `folding(options:locale:)` for every character, which a test compares.
    func folded(case ignoresCase: Bool, diacritics ignoresDiacritics: Bool) -> String {
      var units = Array((ignoresDiacritics ? withoutDiacritics : self).utf16)
      if ignoresCase {
        units = Self.result(of: units) { swift_u_strFoldCase($0, $1, $2, $3, 0, &$4) }
      }
      var status = U_ZERO_ERROR
      let composition = swift_unorm2_getNFCInstance(&status)
      units = Self.result(of: units) { swift_unorm2_normalize(composition, $2, $3, $0, $1, &$4) }
      return String(decoding: units, as: UTF16.self)
    }

    private static let diacriticLimit: UInt32 = 0x510

    private var withoutDiacritics: String {
      var result = String.UnicodeScalarView()
      var base: UInt32?
      // Whether no mark of the base was kept.
      var isBare = true
      for scalar in unicodeScalars.flatMap(Self.decomposed) {
        let properties = scalar.properties
        if let base, properties.isGraphemeExtend || properties.isEmojiModifier {
          if base < Self.diacriticLimit || scalar.value < Self.diacriticLimit && isBare { continue }
          isBare = false
        } else {
          (base, isBare) = (scalar.value, true)
        }
        result.append(scalar)
      }
      return String(result)
    }

    /// The canonical decomposition of a character with diacritics.
    private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
      // Nothing below À is decomposed.
      guard scalar.value >= 0xC0 else { return [scalar] }
      var status = U_ZERO_ERROR
      let decomposition = swift_unorm2_getNFDInstance(&status)
      var units = [UInt16](repeating: 0, count: 20)
      let count = swift_unorm2_getDecomposition(
        decomposition, Int32(scalar.value), &units, Int32(units.count), &status)
      let scalars = String(decoding: units.prefix(Int(Swift.max(0, count))), as: UTF16.self)
        .unicodeScalars
      return scalars.first.map { $0.value < diacriticLimit } == true ? Array(scalars) : [scalar]
    }

    /// The result of a function of ICU that writes UTF-16 to a buffer; the text itself if it fails.
    private static func result(
      of units: [UInt16],
      _ function: (
        UnsafeMutablePointer<UInt16>?, Int32, UnsafePointer<UInt16>, Int32, inout UErrorCode
      ) -> Int32
    ) -> [UInt16] {
      guard let size = Int32(exactly: units.count) else { return units }
      var result = [UInt16](repeating: 0, count: units.count + 16)
      while true {
        var status = U_ZERO_ERROR
        let count = function(&result, Int32(clamping: result.count), units, size, &status)
        if status.rawValue <= U_ZERO_ERROR.rawValue { return Array(result.prefix(Int(count))) }
        guard status == U_BUFFER_OVERFLOW_ERROR else { return units }
        result = [UInt16](repeating: 0, count: Int(count))
      }
    }
  }
#else
  internal import Foundation

  extension String {
    /// The text for comparisons that ignore case or diacritics, with canonically equivalent texts made equal.
    func folded(case ignoresCase: Bool, diacritics ignoresDiacritics: Bool) -> String {
      var options: CompareOptions = []
      if ignoresCase { options.insert(.caseInsensitive) }
      if ignoresDiacritics { options.insert(.diacriticInsensitive) }
      return folding(options: options, locale: nil).precomposedStringWithCanonicalMapping
    }
  }
#endif
