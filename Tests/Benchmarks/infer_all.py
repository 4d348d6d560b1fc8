#!/usr/bin/env python3
"""Which versions of a Core Data model could migrate by inference, in plain Python.

    infer_all.py Name.xcdatamodeld    # the matrix of `strata infer Name.xcdatamodeld --all --json`

It states the rules of inference anew (facts on inference, sections 1, 4 and 5) and shares no code with
Strata, so it is a second road to the same verdicts. Whether two versions are compatible it does not ask:
a pair of them counts as inferable.
"""

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

NUMBERS = {"Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "Boolean"}


class Ambiguous(Exception):
    """Renaming identifiers that do not tell which element is which."""


def identifier(element):
    return element.get("elementID") or element.get("name")


def matched(old, new):
    """Name to name, destination first, by identifier and then by name."""
    if old is new or old == new and len(set(old.values())) == len(old):
        return {name: name for name in new}
    by_identifier, claims = {}, {}
    for name, own in old.items():
        by_identifier.setdefault(own, []).append(name)
    for name, own in new.items():
        claims.setdefault(own, []).append(name)
    found = {}
    for name, own in new.items():
        sources = by_identifier.get(own, [])
        if len(sources) == 1 and len(claims[own]) == 1:
            found[name] = sources[0]
        elif sources and name in sources:
            found[name] = name
        elif sources:
            raise Ambiguous
    left = set(old) - set(found.values())
    for name, own in sorted(new.items()):
        if name not in found and own not in by_identifier and own in left:
            found[name] = own
            left.remove(own)
    return found


class Version:
    def __init__(self, path):
        entities = {entity.get("name"): entity for entity in ElementTree.parse(path).getroot().iter("entity")}
        self.identifiers = {name: identifier(entity) for name, entity in entities.items()}
        self.roots, self.attributes, self.relationships, self.types = {}, {}, {}, {}
        for name in entities:
            line, parent = [], name
            while parent:
                line.append(entities[parent])
                self.roots[name] = parent
                parent = entities[parent].get("parentEntity")
            own = [part for entity in line for part in entity if part.get("transient") != "YES"]
            attributes = [part for part in own if part.tag == "attribute"]
            self.attributes[name] = {part.get("name"): identifier(part) for part in attributes}
            self.types[name] = {part.get("name"): part.get("attributeType") for part in attributes}
            relationships = [part for part in own if part.tag == "relationship"]
            self.relationships[name] = {part.get("name"): identifier(part) for part in relationships}


def is_inferable(old, new):
    try:
        entities = matched(old.identifiers, new.identifiers)
        merged = {}
        for name, source in entities.items():
            if merged.setdefault(new.roots[name], old.roots[source]) != old.roots[source]:
                return False
            matched(old.relationships[source], new.relationships[name])
            types, before = new.types[name], old.types[source]
            for attribute, origin in matched(old.attributes[source], new.attributes[name]).items():
                kinds = {types[attribute], before[origin]}
                if len(kinds) == 2 and not kinds <= NUMBERS:
                    return False
    except Ambiguous:
        return False
    return True


def main():
    bundle = Path(sys.argv[1])

    def by_number(path):
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path.stem)]

    paths = sorted(bundle.glob("*.xcdatamodel"), key=by_number)
    versions = [Version(path / "contents") for path in paths]
    matrix = [
        "".join("=" if old is new else "+" if is_inferable(old, new) else "x" for new in versions)
        for old in versions
    ]
    json.dump({"versions": [path.stem for path in paths], "matrix": matrix}, sys.stdout, indent=2)


if __name__ == "__main__":
    main()
