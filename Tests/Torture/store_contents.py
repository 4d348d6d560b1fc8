"""What a folder holds that a fault must not spoil, as a digest: the same before or after, or nothing else."""

import hashlib
import re
import shutil
import sqlite3
import tempfile
from pathlib import Path
from xml.etree import ElementTree

# Tables whose rows are the same before and after a run only by chance: what the store says of itself.
UNCOMPARED = {"Z_METADATA", "Z_MODELCACHE", "sqlite_sequence"}


def store(*names):
    """Looks at stores, each by itself."""
    return lambda folder: tuple(_store(folder, name) for name in names)


def tree(*names):
    """Looks at files, and at folders with all that is in them but what was still being written."""
    return lambda folder: tuple(_tree(Path(folder, name)) for name in names)


def _tree(path):
    if path.is_file():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    if not path.exists():
        return None
    return tuple(
        (str(file.relative_to(path)), hashlib.sha256(file.read_bytes()).hexdigest())
        for file in sorted(path.rglob("*"))
        if file.is_file() and not re.fullmatch(r"\..+\.\d+\.unfinished", file.name)
    )


def _store(folder, name):
    """A digest of every row of a store and of the files that they name; None where there is no store."""
    if not (folder / name).exists():
        return None
    if name.endswith(".xml"):
        return _document(folder / name)
    with tempfile.TemporaryDirectory(dir=folder.parent) as copy:
        copy = Path(copy) / "copy"
        shutil.copytree(folder, copy, symlinks=True)
        store = sqlite3.connect(copy / name)
        try:
            found = store.execute("PRAGMA integrity_check").fetchall()
            if found != [("ok",)]:
                return f"damaged: {found[:2]}"
            digest = hashlib.sha256()
            tables = [row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in sorted(set(tables) - UNCOMPARED):
                columns = sorted(row[1] for row in store.execute(f'PRAGMA table_info("{table}")'))
                listed = ", ".join(f'"{column}"' for column in columns)
                digest.update(f"{table} {columns}".encode())
                for row in sorted(map(_masked, store.execute(f'SELECT {listed} FROM "{table}"'))):
                    digest.update(row.encode())
                for file in _files_named(store, table, columns):
                    path = copy / f".{Path(name).stem}_SUPPORT/_EXTERNAL_DATA/{file}"
                    digest.update(path.read_bytes() if path.exists() else b"missing")
            return digest.hexdigest()
        except sqlite3.Error as error:
            return f"unreadable: {error}"
        finally:
            store.close()


def _masked(row):
    """A row as text, without the names of files: `insert` chooses them by chance."""
    return repr([b"a file" if isinstance(value, bytes) and re.fullmatch(rb"\x02.{36}\x00", value) else value for value in row])


def _files_named(store, table, columns):
    """The files of binary data that a table names; what stands behind a UUID goes by its place."""
    for column in columns:
        rows = store.execute(
            f'SELECT "{column}" FROM "{table}" WHERE typeof("{column}") = \'blob\' '
            f'AND length("{column}") = 38 AND hex(substr("{column}", 1, 1)) = \'02\' ORDER BY rowid'
        )
        for (value,) in rows.fetchall():
            yield value[1:37].decode()


def _document(path):
    """The objects of an XML store, in any order."""
    try:
        root = ElementTree.fromstring(path.read_bytes())
    except ElementTree.ParseError as error:
        return f"unreadable: {error}"
    objects = sorted(ElementTree.tostring(node).strip() for node in root.iter("object"))
    return hashlib.sha256(b"\n".join(objects)).hexdigest()
