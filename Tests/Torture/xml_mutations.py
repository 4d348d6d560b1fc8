"""Mutations of XML that leave it well-formed more often than not."""

import re

import byte_mutations
from text_mutations import oddity

TAG = re.compile(rb"<(/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(/?)>")
VALUE = re.compile(rb'([\w:.-]+)="([^"]*)"')
SIZES = [10, 100, 1000, 3000]


def mutate(rng, data, other):
    """One to four mutations of elements, attributes or bytes."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        data = rng.choice(ALL)(rng, data, other)
    return data


def mutate_any(rng, data, other):
    """The same for documents that are no models."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        data = rng.choice(COMMON * 3 + [multiply_element, change_prolog, encode_otherwise])(rng, data, other)
    return data


def elements(data):
    """Start and end of every element whose tags match."""
    found, open_tags = [], []
    for tag in TAG.finditer(data):
        if tag[1]:
            if open_tags and open_tags[-1][0] == tag[2]:
                found.append((open_tags.pop()[1], tag.end()))
        elif tag[4]:
            found.append(tag.span())
        else:
            open_tags.append((tag[2], tag.start()))
    return found


def _element(rng, data):
    found = elements(data)
    return rng.choice(found) if found else (0, len(data))


def delete_element(rng, data, _):
    start, end = _element(rng, data)
    return data[:start] + data[end:]


def duplicate_element(rng, data, _):
    start, end = _element(rng, data)
    times = rng.choice([1, 1, 1, 2, 50])
    return data[:end] + data[start:end] * times + data[end:]


def multiply_element(rng, data, _):
    """Many copies with names of their own."""
    start, end = _element(rng, data)
    element = data[start:end]
    count = min(rng.choice(SIZES), 1 + (1 << 19) // (len(element) + 1))
    copies = [
        re.sub(rb'\bname="([^"]*)"', rb'name="\g<1>%d"' % place, element, count=1)
        for place in range(count)
    ]
    return data[:end] + b"".join(copies) + data[end:]


def move_element(rng, data, _):
    start, end = _element(rng, data)
    rest = data[:start] + data[end:]
    _, place = _element(rng, rest)
    return rest[:place] + data[start:end] + rest[place:]


def nest_element(rng, data, _):
    """An element inside many like it."""
    start, end = _element(rng, data)
    tag = TAG.match(data, start)
    if not tag:
        return data
    depth = rng.choice([1, 2, 60, 65, 5000])
    opening = b"<" + tag[2] + tag[3] + b">"
    closing = b"</" + tag[2] + b">"
    return data[:start] + opening * depth + data[start:end] + closing * depth + data[end:]


def take_element(rng, data, other):
    """An element of another file."""
    start, end = _element(rng, other)
    _, place = _element(rng, data)
    return data[:place] + other[start:end] + data[place:]


def chain_of_parents(rng, data, _):
    """Entities, each below the one before; sometimes the first below the last."""
    count = rng.choice(SIZES)
    chain = b"".join(
        b'<entity name="C%d" parentEntity="C%d"/>' % (place, place - 1)
        for place in range(1, count)
    )
    first = b'<entity name="C0"%s/>' % rng.choice([b"", b' parentEntity="C%d"' % (count - 1)])
    return data.replace(b"</model>", first + chain + b"</model>")


def web_of_relationships(rng, data, _):
    """Entities that all point at one another."""
    count = rng.choice([10, 30, 60])
    web = b"".join(
        b'<entity name="W%d">' % source
        + b"".join(
            b'<relationship name="r%d" toMany="YES" destinationEntity="W%d" '
            b'inverseName="r%d" inverseEntity="W%d"/>' % (target, target, source, target)
            for target in range(count)
        )
        + b"</entity>"
        for source in range(count)
    )
    return data.replace(b"</model>", web + b"</model>")


def tower_of_composites(rng, data, _):
    """Composites that hold one another several times over."""
    depth, width = rng.choice([(14, 2), (15, 1), (40, 2), (6, 5), (2, 1500)])
    tower = b"".join(
        b'<composite name="K%d">' % level
        + b"".join(
            b'<attribute name="e%d" attributeType="Composite" composite="K%d"/>'
            % (place, level + 1)
            for place in range(width)
        )
        + b"</composite>"
        for level in range(depth)
    )
    return data.replace(
        b"</model>",
        tower + b'<composite name="K%d"><attribute name="x" attributeType="String"/></composite>' % depth
        + b'<entity name="K"><attribute name="k" attributeType="Composite" '
        b'composite="K0"/></entity></model>',
    )  # fmt: skip


def _value(rng, data):
    return rng.choice(list(VALUE.finditer(data)) or [None])


def delete_attribute(rng, data, _):
    value = _value(rng, data)
    return data[: value.start()] + data[value.end() :] if value else data


def duplicate_attribute(rng, data, _):
    value = _value(rng, data)
    return data[: value.end()] + b" " + value[0] + data[value.end() :] if value else data


def change_value(rng, data, other):
    value = _value(rng, data)
    if not value:
        return data
    match rng.randrange(6):
        case 0 | 1:
            new = oddity(rng)
        case 2:
            new = value[2] + oddity(rng)
        case 3:
            new = _value(rng, data)[2]
        case 4:
            new = (_value(rng, other) or value)[2]
        case 5:
            new = rng.choice([b"&amp;", b"&lt;", b"&#0;", b"&#x10FFFF;", b"&#xD800;", b"&x;", b"&#9;"])
    return data[: value.start(2)] + new + data[value.end(2) :]


def change_key(rng, data, other):
    """A value under the key of another."""
    value, key = _value(rng, data), _value(rng, other)
    if not value or not key:
        return data
    return data[: value.start(1)] + key[1] + data[value.end(1) :]


def rename_everywhere(rng, data, _):
    """A name changes wherever it stands, so that references still hold."""
    value = _value(rng, data)
    if not value or not value[2]:
        return data
    new = rng.choice([oddity(rng), value[2].upper(), value[2].lower(), value[2] * 2])
    return data.replace(b'"' + value[2] + b'"', b'"' + new.replace(b'"', b"&quot;") + b'"')


def change_prolog(rng, data, _):
    prolog = rng.choice([
        b'<?xml version="1.0" encoding="UTF-16"?>', b'<?xml version="1.1"?>', b"\xef\xbb\xbf",
        b'<?xml version="1.0" encoding="ISO-8859-1"?>', b"<!DOCTYPE model>", b"<!-- - -->", b"",
        b'<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://127.0.0.1:9/x.dtd">',
        b'<!DOCTYPE model [<!ENTITY a "b">]>', b"<?x?>", b"<![CDATA[ ]]>",
    ])  # fmt: skip
    end = data.find(b"?>")
    rest = data[end + 2 :] if data.startswith(b"<?xml") and rng.random() < 0.8 else data
    return prolog + rest


def insert_markup(rng, data, _):
    _, place = _element(rng, data)
    new = rng.choice([
        b"<!-- x -->", b"<![CDATA[<&]]>", b"<?pi x?>", b"&amp;", b"text", b"]]>", b"<x/>", b"<a b='c'/>",
        b"<userInfo><entry key='k'/></userInfo>", b"<string>x</string>", b"<integer>9e9</integer>",
        b"<date>2001-13-45T99:99:99Z</date>", b"<real>nan</real>", b"<data>!!!!</data>",
        b"<key>k</key>", b"<dict/>", b"<array><array/></array>",
    ])  # fmt: skip
    return data[:place] + new + data[place:]


def encode_otherwise(rng, data, _):
    encoding = rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "utf-7", "utf-8-sig"])
    return data.decode("utf-8", "replace").encode(encoding, "replace")


COMMON = [
    delete_element, duplicate_element, move_element, nest_element, take_element, delete_attribute,
    duplicate_attribute, change_value, change_value, change_value, change_value, change_key,
    rename_everywhere, rename_everywhere, insert_markup, byte_mutations.mutate,
]  # fmt: skip
# What makes files large, or is refused at once, comes less often.
RARE = [
    multiply_element, chain_of_parents, web_of_relationships, tower_of_composites, change_prolog,
    encode_otherwise,
]  # fmt: skip
ALL = COMMON * 3 + RARE
