"""What the tests expect of the public files, from the files themselves and without Strata.

For stores: the metadata that Core Data wrote (`Z_METADATA` is a property list), and rows counted by SQLite. For models:
version hashes by Tests/Benchmarks/hash_all.py, which the hashes in stores and compiled bundles confirm.
"""

import io
import json
import plistlib
import shutil
import sqlite3
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Benchmarks"))

import elements  # noqa: E402
from hash_all import Model  # noqa: E402

HASHES = "EXPECTED-HASHES.json"
STORES = "EXPECTED-STORES.json"


def hashes(folder, paths):
    """For each `.xcdatamodel` (path from the corpus), entity name to version hash in hexadecimal digits."""
    found = {}
    for path in paths:
        model, _, name = path.rpartition("/")
        if model.endswith(".xcdatamodel") and name in ("contents", "elements"):
            found[model] = model_hashes(folder / path)
    return found


def model_hashes(path):
    data = path.read_bytes()
    model = Model(io.BytesIO(elements.xml(data) if path.name == "elements" else data))
    return {entity: model.entity_hash(entity).hex() for entity in model.entities}


def stores(folder, paths, model_hashes):
    """For each SQLite store, what Core Data wrote into it, its rows, and which of the models have its hashes."""
    found = {}
    for path in paths:
        with open(folder / path, "rb") as file:
            if file.read(16) != b"SQLite format 3\0":
                continue
        found[path] = store(folder / path)
        matching = [model for model, hashes in model_hashes.items() if hashes == found[path]["hashes"]]
        found[path]["matchingModels"] = sorted(matching)
    return found


def store(path):
    """Reads a copy, since SQLite writes beside a store with a WAL."""
    with tempfile.TemporaryDirectory() as temporary:
        copy = Path(temporary) / "store"
        shutil.copyfile(path, copy)
        wal = path.with_name(path.name + "-wal")
        has_frames = wal.exists() and wal.stat().st_size > 0
        if has_frames:
            shutil.copyfile(wal, f"{copy}-wal")
        database = sqlite3.connect(str(copy))
        try:
            return dict(contents(database), wal=has_frames)
        finally:
            database.close()


def contents(database):
    (uuid, plist), *_ = database.execute("SELECT Z_UUID, Z_PLIST FROM Z_METADATA")
    metadata = plistlib.loads(plist)
    tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    hashes = {entity: bytes(digest).hex() for entity, digest in metadata["NSStoreModelVersionHashes"].items()}
    return {
        "framework": metadata["NSPersistenceFrameworkVersion"],
        "hashes": hashes,
        "identifiers": metadata["NSStoreModelVersionIdentifiers"],
        "modelCache": "Z_MODELCACHE" in tables
        and database.execute("SELECT count(Z_CONTENT) FROM Z_MODELCACHE").fetchone()[0] > 0,
        "rows": rows(database, tables),
        "uuid": uuid,
    }


def rows(database, tables):
    """How many objects of each entity there are, by the names in `Z_PRIMARYKEY`, where an in-place rename keeps the old
    name. Subentities share a table; Core Data's own tables begin with `Z_` or `A`."""
    names = dict(database.execute("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY"))
    counts = {}
    for table in tables:
        columns = [column[1] for column in database.execute(f'PRAGMA table_info("{table}")')]
        if not table.startswith("Z") or table.startswith("Z_") or "Z_ENT" not in columns:
            continue
        for entity, count in database.execute(f'SELECT Z_ENT, count(*) FROM "{table}" GROUP BY Z_ENT'):
            counts[names[entity]] = counts.get(names[entity], 0) + count
    return counts


def confirmed(folder, paths, model_hashes, store_contents):
    """How many models have the hashes that Core Data or its compiler recorded in a store or a compiled bundle."""
    recorded = [found["hashes"] for found in store_contents.values()]
    for path in paths:
        if path.endswith(".momd/VersionInfo.plist"):
            info = plistlib.loads((folder / path).read_bytes())
            for version in info["NSManagedObjectModel_VersionHashes"].values():
                recorded.append({entity: bytes(digest).hex() for entity, digest in version.items()})
    return sum(hashes in recorded for hashes in model_hashes.values())


def text(value, indent):
    return json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False)


def differences(expected, computed, path=""):
    """Where two trees of dictionaries differ, a line each."""
    if isinstance(expected, dict) and isinstance(computed, dict):
        for key in sorted(expected.keys() | computed.keys()):
            inner = f"{path}: {key}" if path else key
            if key not in expected or key not in computed:
                yield f"{inner} is only in the {'file' if key in expected else 'computed values'}"
            else:
                yield from differences(expected[key], computed[key], inner)
    elif expected != computed:
        yield f"{path} is {expected!r} in the file, computed {computed!r}"
