"""Strings that programs stumble over, and mutations of text by lines and words."""

import re

import byte_mutations

ODDITIES = [
    b"",
    b" ",
    b"\0",
    b"\x1b[31m",
    b"\r\n",
    b"\xff\xfe",
    b"\xc0\xaf",  # An overlong slash.
    b"\xed\xa0\x80",  # Half of a surrogate pair.
    "\u202eoflip".encode(),  # Right to left from here.
    "\ufeff".encode(),
    "e\u0301".encode(),
    "\u0301".encode() * 400,
    '"\u0301'.encode(),
    "İ".encode(),  # Longer in lower case.
    "ŉﬃß".encode(),  # Longer in upper case.
    "👨‍👩‍👧‍👦".encode(),
    "\u1100\u1161\u11a8".encode() * 50,
    "\U0010ffff".encode(),
    "\u2028".encode(),
    b"../../../../etc/passwd",
    b"/dev/zero",
    b"sample:Topics",
    b"try:",
    b"%s%n%@",
    b"'; DROP TABLE ZTOPIC; --",
    b"Z" * 5000,
    b"a.b.c.d",
    b"A+B/C",
]

NUMBERS = [
    b"0", b"-1", b"1", b"2", b"255", b"32768", b"2147483647", b"2147483648", b"-2147483648",
    b"4294967296", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808",
    b"1e308", b"1e999", b"-0", b"NaN", b"inf", b"0x10", b"1_000", b"99999999999999999999999999",
    b"1.7976931348623157e308", b"0.1", "١٢".encode(),
]  # fmt: skip


def oddity(rng):
    return rng.choice(rng.choice([ODDITIES, NUMBERS]))


def mutate(rng, text, other):
    """One to four mutations of lines, words or bytes."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        text = rng.choice([_lines, _words, _words, _words, _bytes])(rng, text, other)
    return text


def _bytes(rng, text, other):
    return byte_mutations.mutate(rng, text, other)


def _lines(rng, text, other):
    lines = text.split(b"\n")
    place = rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[rng.randrange(len(lines))])
        case 2:
            lines.insert(place, rng.choice(other.split(b"\n")))
        case 3:
            lines[place:place] = [lines[place]] * (1 << rng.randrange(8))
        case 4:
            lines[place] = rng.choice([b"```", b"> ", b"#| ", b"#? ", b"? ", b"...", b"    "]) + lines[place]
        case 5:
            lines.insert(place, oddity(rng))
    return b"\n".join(lines)


def _words(rng, text, other):
    words = list(re.finditer(rb"[^\s=./]+", text))
    if not words:
        return oddity(rng)
    start, end = rng.choice(words).span()
    match rng.randrange(5):
        case 0:
            word = oddity(rng)
        case 1:
            word = rng.choice(words)[0]
        case 2:
            word = rng.choice(other.split() or [b""])
        case 3:
            word = text[start:end] + oddity(rng)
        case 4:
            word = rng.choice([b"'", b'"', b"\\"]) + text[start:end]
    return text[:start] + word + text[end:]
