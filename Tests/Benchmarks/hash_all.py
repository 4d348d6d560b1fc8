#!/usr/bin/env python3
"""Version hashes of a Core Data model in plain Python: the yardstick for Strata.

    hash_all.py Name.xcdatamodeld              # as `strata hash Name.xcdatamodeld --all --json`
    hash_all.py --check EXPECTED-HASHES.json   # model path -> entity -> hash, in hex

It shares no code with Strata, so it is a second road to the same answer; Scripts/benchmark
compares both answers before it compares their times. Numbers are little-endian, text is UTF-8,
and Python's order of strings is the order of their UTF-8 bytes.
"""

import argparse
import base64
import hashlib
import json
import re
import struct
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ATTRIBUTE_TYPES = {
    "Undefined": 0,
    "Integer 16": 100,
    "Integer 32": 200,
    "Integer 64": 300,
    "Decimal": 400,
    "Double": 500,
    "Float": 600,
    "String": 700,
    "Boolean": 800,
    "Date": 900,
    "Binary": 1000,
    "UUID": 1100,
    "URI": 1200,
    "Transformable": 1800,
    "ObjectID": 2000,
    "Composite": 2100,
}

# Xcode writes YES and NO; old tools and generators also true and false.
TRUE = frozenset(["YES", "true"])

KEY_PATH = r"\w+(?:\.\w+)*"


class ModelError(ValueError):
    """A model that no version hash is defined for."""


class Model:
    """One version of a model, from its XML."""

    def __init__(self, contents):
        root = ElementTree.parse(contents).getroot()
        self.entities = {entity.get("name"): entity for entity in root.findall("entity")}
        self.composites = {element.get("name"): element for element in root.findall("composite")}
        self.known_hashes = {}
        self.known_properties = {}

    def lineage(self, entity):
        """The entity, its super-entity, and so on up."""
        line = [entity]
        while parent := self.entities[line[-1]].get("parentEntity"):
            if parent not in self.entities or parent in line:
                raise ModelError(f"{line[-1]} cannot have the super-entity {parent}")
            line.append(parent)
        return line

    def entity_hash(self, name):
        """SHA256( name + isAbstract + super-entity's hash? + hashes of all persistent properties,
        inherited ones too, by name + modifier? + each own uniqueness constraint, sorted )"""
        if name not in self.known_hashes:
            self.known_hashes[name] = sha256(self.entity_message(name))
        return self.known_hashes[name]

    def entity_message(self, name):
        entity = self.entities[name]
        ancestors = self.lineage(name)
        message = name.encode() + (b"\1" if flag(entity, "isAbstract") else b"\0")
        if len(ancestors) > 1:
            message += self.entity_hash(ancestors[1])
        properties = {}
        for owner in ancestors:
            for property_name, digest in self.own_properties(owner).items():
                if property_name in properties:
                    raise ModelError(f"{name} inherits and declares {property_name}")
                properties[property_name] = digest
        message += b"".join(properties[key] for key in sorted(properties))
        message += modifier(entity)
        constraints = [
            ".".join(part.get("value", "") for part in constraint.findall("constraint"))
            for constraint in entity.findall("uniquenessConstraints/uniquenessConstraint")
        ]
        return message + "".join(sorted(constraints)).encode()

    def own_properties(self, entity):
        """Name to hash of the persistent properties that the entity itself declares."""
        if entity in self.known_properties:
            return self.known_properties[entity]
        hashes = self.known_properties[entity] = {}
        for element in self.entities[entity]:
            if element.tag == "attribute" and not flag(element, "transient"):
                hashes[element.get("name")] = self.attribute_hash(element)
            elif element.tag == "relationship" and not flag(element, "transient"):
                hashes[element.get("name")] = self.relationship_hash(element, entity)
        return hashes

    def attribute_hash(self, attribute):
        """SHA256( property + int32 type + 1 if stored externally + 1 if kept in history )"""
        if flag(attribute, "derived"):
            return sha256(derivation(attribute).encode())
        kind = attribute.get("attributeType", "Undefined")
        if kind not in ATTRIBUTE_TYPES:
            raise ModelError(f"{attribute.get('name')} has the unknown type {kind}")
        if kind == "Composite":
            return self.composite_hash(attribute.get("composite"))
        message = property_hash(attribute) + struct.pack("<i", ATTRIBUTE_TYPES[kind])
        if flag(attribute, "allowsExternalBinaryDataStorage"):
            message += b"\1"
        if flag(attribute, "preserveAfterDeletion"):
            message += b"\1"
        return sha256(message)

    def composite_hash(self, name):
        """SHA256( hash of each element, by name ): nothing of the attribute that uses it."""
        if name not in self.composites:
            raise ModelError(f"unknown composite {name}")
        elements = sorted(self.composites[name].findall("attribute"), key=lambda e: e.get("name"))
        return sha256(b"".join(self.attribute_hash(element) for element in elements))

    def relationship_hash(self, relationship, owner):
        """SHA256( property + destination + inverse's name? + int32 maxCount + int32 minCount
        + int16 1 if ordered )"""
        destination = relationship.get("destinationEntity", "")
        inverse = relationship.get("inverseName")
        message = property_hash(relationship) + destination.encode()
        if inverse and not self.is_own_inverse(relationship, owner):
            message += inverse.encode()
        # A to-many relationship without a bound has the maxCount 0, a to-one always 1.
        most = relationship.get("maxCount", "0") if flag(relationship, "toMany") else "1"
        least = relationship.get("minCount", "0")
        message += struct.pack("<ii", int(most), int(least))
        if flag(relationship, "ordered"):
            message += struct.pack("<h", 1)
        return sha256(message)

    def is_own_inverse(self, relationship, owner):
        """Whether the inverse, perhaps inherited there, is this very declaration.

        Asked of the entity that declares the relationship, so that every heir has its answer.
        """
        name = relationship.get("name")
        where = relationship.get("inverseEntity") or relationship.get("destinationEntity")
        if relationship.get("inverseName") != name or where not in self.entities:
            return False
        return owner in self.lineage(where)

    def report(self, name):
        """The object that stands for this model in the JSON answer."""
        hashes = {entity: self.entity_hash(entity) for entity in sorted(self.entities)}
        checksum = hashlib.sha256(b"".join(hashes.values()))
        digest = hashlib.sha512(b"".join(key.encode() + value for key, value in hashes.items()))
        return {
            "model": name,
            "entities": {key: {"hash": value.hex()} for key, value in hashes.items()},
            "checksum": base64.b64encode(checksum.digest()).decode(),
            "digest": base64.b64encode(digest.digest()).decode(),
        }


def sha256(message):
    return hashlib.sha256(message).digest()


def flag(element, key):
    return element.get(key) in TRUE


def modifier(element):
    return element.get("versionHashModifier", "").encode()


def property_hash(element):
    """SHA256( name + int16 flags + modifier? ), where the flags are 1 optional, 2 transient."""
    flags = flag(element, "optional") | flag(element, "transient") << 1
    return sha256(element.get("name").encode() + struct.pack("<h", flags) + modifier(element))


def derivation(attribute):
    """The text of a derivation as Core Data keeps it: `pages.@count` is `count:(pages)`."""
    written = attribute.get("derivationExpression", "")
    text = written.replace(" ", "")
    if re.fullmatch(rf"{KEY_PATH}|\w+:\((?:{KEY_PATH})?\)", text):
        return text
    aggregate = re.fullmatch(rf"({KEY_PATH})\.@(\w+)((?:\.\w+)*)", text)
    if aggregate:
        collection, function, rest = aggregate.groups()
        return f"{function}:({collection}{rest})"
    raise ModelError(f"{attribute.get('name')} is derived by {written!r}: no rule is known")


def by_number(name):
    """Orders names with their numbers by value: Model 9 before Model 10."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


def hash_all(bundle):
    versions = sorted((path.stem for path in bundle.glob("*.xcdatamodel")), key=by_number)
    if not versions:
        raise ModelError(f"{bundle} has no versions")
    return {
        name: Model(bundle / f"{name}.xcdatamodel" / "contents").report(name) for name in versions
    }


def check(expected_file):
    """Compares with known hashes; the models' paths start at the folder of the file."""
    models = entities = skipped = wrong = 0
    for path, expected in json.loads(expected_file.read_text()).items():
        contents = expected_file.parent / path / "contents"
        if not contents.exists():
            skipped += 1  # The old binary `elements` format.
            continue
        model = Model(contents)
        computed = {entity: model.entity_hash(entity).hex() for entity in model.entities}
        models += 1
        entities += len(expected)
        for entity in sorted(expected.keys() | computed.keys()):
            if expected.get(entity) != computed.get(entity):
                wrong += 1
                print(f"{path}: {entity} differs", file=sys.stderr)
    print(f"{models} models, {entities} entities: {wrong} differ")
    print(f"{skipped} models without XML: skipped")
    return wrong == 0


def main():
    parser = argparse.ArgumentParser(description="Core Data version hashes in plain Python")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("bundle", nargs="?", type=Path, help="an .xcdatamodeld folder")
    what.add_argument(
        "--check", type=Path, metavar="EXPECTED.json", help="compare with known hashes"
    )
    arguments = parser.parse_args()
    try:
        if arguments.check:
            return 0 if check(arguments.check) else 1
        print(json.dumps({"versions": hash_all(arguments.bundle)}, ensure_ascii=False, indent=2))
        return 0
    except (OSError, ValueError, RecursionError, ElementTree.ParseError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
