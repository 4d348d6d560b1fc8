"""What each fuzz target begins with, and the sound files beside which it reads its inputs.

The forms of the inputs that are no files are those of Tests/Fuzzing: `EditedStoreFiles`, `StoreEdits`.
"""

import base64
import struct
import tempfile
from functools import cached_property
from pathlib import Path
from xml.etree import ElementTree

import method_models
import policy_texts
import store_mutations
from generated_stores import inflated
from seeds import answer, write_files

# Every form of the language once.
PREDICATES = [
    "a.b == 1 AND NOT c != 'x' OR d BETWEEN {1, 2.5}",
    "ANY tags.name LIKE[cd] 'a*b?' AND ALL x.y MATCHES '[a-h].*'",
    "SUBQUERY($x, $t, $t.rank > 1).@count >= x[FIRST] + y[0] ** -2",
    "TERNARY(a IN {nil, YES}, CAST('2024-01-31', 'NSDate'), now()) CONTAINS #any",
    "sum:({1, 2}) * FUNCTION(SELF, 'valueForKeyPath:', 'a.b') / 0 <> $x.@avg.z",
    "({1} UNION {2} MINUS {3}).@count =< from:subtract:(5, 'a'.length)",
    "FETCH(FUNCTION($m, 'f:', \"q\"), $m.c, NO) = NULL OR TRUEPREDICATE",
]

MAIN, WAL, INDEX, JOURNAL = range(4)

SMALL_MODEL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="{}">
    <entity name="A" representedClassName="A">
        <attribute name="n" optional="YES" attributeType="Integer 16"/>
        <relationship name="others" optional="YES" toMany="YES" destinationEntity="A"/>
    </entity>
</model>"""
SMALL_MAPPING = b"""mapping from One.xcdatamodel to Two.xcdatamodel

AToA: A -> A
  n = $source.n * 60 + $source.others.@count
"""
# A session says all that it has to say in a page.
PAGE = 1500


class FuzzSeeds:
    """The seeds of Scripts/torture as inputs of the fuzz targets."""

    def __init__(self, seeds):
        self.seeds = seeds

    def inputs(self):
        """For each target the bytes to begin with."""
        seeds = self.seeds
        metadata = [store_mutations.blob(seed, "Z_METADATA", "Z_PLIST") for seed in seeds.plain_stores]
        caches = [store_mutations.blob(seed, "Z_MODELCACHE", "Z_CONTENT") for seed in seeds.stores_with_cache]
        archives = [seed[""] for seed in seeds.compiled_models] + list(map(inflated, caches))
        elements = [seed["/elements"] for seed in seeds.old_models]
        bundles = [data for seed in seeds.compiled_bundles + seeds.bundles for data in seed.values()]
        lists = [data for data in bundles if data.startswith(b"bplist") or b"<plist" in data]
        return {
            "plist": metadata + archives + lists,
            "archive": archives + elements,
            "xml": [seed["/contents"] for seed in seeds.models],
            "metadata": metadata,
            "database": [seed[""] for seed in seeds.xml_stores],
            "binary": [seed[""] for seed in seeds.binary_stores],
            "mapping": [
                data
                for seed in seeds.mappings + seeds.compiled_mappings + seeds.mapping_texts
                for data in seed.values()
            ],
            "xcode-mapping": list(self._archives_of_mapping()),
            "expression": [line.encode() for line in PREDICATES],
            "cache": caches + archives,
            "files": list(self._edits_of_files()),
            "rows": list(_edits_of_rows()),
            "policy": [seed[""] for seed in seeds.policies],
            "policies": [seed[""] for seed in seeds.policies],
            "stages": [seed["/S.stages"] for seed in seeds.stages],
            "session": list(self._sessions()),
        }

    def files(self):
        """The sound files, by name."""
        plain, _, begun, whole, journal = self.seeds.stores[:5]
        files = {"plain.sqlite": plain[""]}
        for name, store in {"begun": begun, "whole": whole, "journal": journal}.items():
            files |= {f"{name}.sqlite{ending}": data for ending, data in store.items()}
        for family, versions in method_models.FAMILIES.items():
            files |= {f"{family}/{name}": method_models.contents(model, name) for name, model in versions.items()}
            files[f"{family}/store.sqlite"] = self._store(files[f"{family}/First"])
        return files | self.seeds.topics | {
            "Roads.mapping": policy_texts.MAPPING.encode(),
            "xcmapping.xml": self._mapping,
        }

    def _store(self, model):
        """A small store of a model."""
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, {"First.xcdatamodel/contents": model})
            arguments = ["store.sqlite", "--model", "First.xcdatamodel", "--rows", "1", "--seed", "1"]
            answer(self.seeds.program, "create", *arguments, folder=folder)
            return Path(folder, "store.sqlite").read_bytes()

    @cached_property
    def _mapping(self):
        """A small document of Xcode's with both models and archived expressions."""
        with tempfile.TemporaryDirectory() as folder:
            models = {f"{name}.xcdatamodel/contents": SMALL_MODEL.format(name).encode() for name in ("One", "Two")}
            write_files(folder, models | {"Small.mapping": SMALL_MAPPING})
            answer(self.seeds.program, "mapping", "write", "Small.mapping", "Small.xcmappingmodel", folder=folder)
            return Path(folder, "Small.xcmappingmodel/xcmapping.xml").read_bytes()

    def _archives_of_mapping(self):
        document = ElementTree.fromstring(self._mapping)
        found = [node for node in document.iter("attribute") if node.get("type") == "binary"]
        for place, node in enumerate(found[:200]):
            yield bytes([place]) + base64.b64decode(node.text or "")

    def _edits_of_files(self):
        """What stands in the places that SQLite reads first, put there again."""
        names = ["plain", "begun", "whole", "journal"]
        files = self.files()
        for place, name in enumerate(names):
            first = bytes([place])
            yield first + _edit(MAIN, 0, files[f"{name}.sqlite"][:100])
            yield first + _edit(INDEX, 0, b"\x18\xe2\x2d\x00" + bytes(12) + b"\x05" + bytes(119))
            if wal := files.get(f"{name}.sqlite-wal"):
                header = _edit(WAL, 0, wal[:32])
                for mended in (0, 0x80):
                    yield bytes([place | mended]) + header
                    yield bytes([place | mended]) + header + _edit(WAL, 32, wal[32:72])
                    yield bytes([place | mended]) + _edit(WAL, 56, wal[56:164])
                yield first + header + _edit(INDEX, 0, bytes(136)) + _edit(WAL, len(wal) // 2, b"")
            if journal := files.get(f"{name}.sqlite-journal"):
                yield first + _edit(JOURNAL, 0, journal[:28]) + _edit(JOURNAL, 512, journal[512:540])
                yield first + _edit(JOURNAL, len(journal) - 100, b"")

    def _sessions(self):
        for form, documents in (0, self.seeds.scripts), (0x40, self.seeds.notebooks):
            for seed in documents:
                for start in range(0, min(len(seed[""]), 4 * PAGE), PAGE):
                    yield bytes([form]) + seed[""][start : start + PAGE]
                yield bytes([0xFF]) + seed[""][:PAGE]


def _edit(file, offset, data):
    return bytes([file]) + struct.pack(">H", min(offset, 0xFFFF)) + bytes([len(data)]) + data


def _edits_of_rows():
    """For each store, changes of every kind with values of every kind."""
    values = [
        b"\0", b"\1\xff", b"\2" + struct.pack(">q", 1 << 31), b"\3" + struct.pack(">d", 1e308), b"\4\3abc",
        b"\5\2\0\xff", b"\6\2",
    ]  # fmt: skip
    for family in range(len(method_models.FAMILIES)):
        yield bytes([family])
        for table in range(0, 12, 3):
            edits = [bytes([verb, table, 1, verb + table]) + values[verb % len(values)] for verb in range(8)]
            yield bytes([family]) + edits[table % 8]
            yield bytes([family]) + b"".join(edits)
