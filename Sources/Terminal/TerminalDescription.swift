internal import CEditline
internal import StrataEssentials

/// A built-in terminal description for libedit: the sequences that move the cursor and erase.
enum TerminalDescription {
  /// Whether the system has a description of the terminal named by TERM.
  static var isThere: Bool { strata_el_accepts_terminal("strata") }

  /// Runs a closure while TERM names the built-in description.
  static func withBuiltIn<Result>(_ work: () -> Result) -> Result {
    let earlier = ["TERM", "TERMINFO"].map { (name: String) in
      (name: name, value: getenv(name).map { String(cString: $0) })
    }
    setenv("TERM", "strata-ansi", 1)
    setenv("TERMINFO", "b64:" + builtIn, 1)
    // The earlier values are restored for other programs, such as a pager.
    defer {
      for (name, value) in earlier {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
      }
    }
    return work()
  }

  /// The output of `infocmp -0 -Q2 -q` for this description, in the format of terminfo(5):
  ///
  ///     strata-ansi|the sequences that all terminals share,
  ///       am, xenl, cols#80, lines#24,
  ///       bel=^G, cr=\r, clear=\E[H\E[2J, home=\E[H, ed=\E[J, el=\E[K,
  ///       cub1=^H, cud1=\n, cuf1=\E[C, cuu1=\E[A,
  ///       cub=\E[%p1%dD, cud=\E[%p1%dB, cuf=\E[%p1%dC, cuu=\E[%p1%dA,
  ///       dch1=\E[P, dch=\E[%p1%dP, ich=\E[%p1%d@,
  private static let builtIn =
    "GgEzAAUAAwBzAF4Ac3RyYXRhLWFuc2l8dGhlIHNlcXVlbmNlcyB0aGF0IGFsbCB0ZXJtaW5hbHMgc2hhcmUAAAEAAA"
    + "FQAP__GAD__wAAAgD_____BAAMABAA________FAAWAP__GgD_____HAD__yAA__8kAP______________________"
    + "__________________________________________________________________________________________"
    + "__________________________________________________________________________________________"
    + "__________________8oAP__MQA6AP____9DAEwA__9VAAcADQAbW0gbWzJKABtbSwAbW0oACgAbW0gACAAbW0MAG1"
    + "tBABtbUAAbWyVwMSVkUAAbWyVwMSVkQgAbWyVwMSVkQAAbWyVwMSVkRAAbWyVwMSVkQwAbWyVwMSVkQQA="
}
