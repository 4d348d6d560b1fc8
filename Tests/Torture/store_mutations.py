"""Mutations of SQLite stores: of pages, of frames in the WAL, of what the tables hold."""

import sqlite3

import byte_mutations
import generated_stores
import plist_mutations
import write_ahead_log
from text_mutations import NUMBERS, ODDITIES


def mutate_pages(rng, files, others):
    """The bytes of one of the files, those that SQLite reads first more often."""
    ending = rng.choice(list(files))
    return files | {ending: _mutate_page(rng, files[ending], others.get(ending, b""))}


def _mutate_page(rng, data, other):
    if rng.random() < 0.3:
        return byte_mutations.mutate(rng, data, other)
    size = 4096
    start = rng.randrange(max(1, len(data) // size)) * size
    # The header of a file or page, its cell pointers, or all of it.
    length = rng.choice([32, 108, 256, size])
    part = data[start : start + length]
    mutant = byte_mutations.mutate(rng, part, other)
    if rng.random() < 0.8:
        mutant = mutant[: len(part)].ljust(len(part), b"\0")  # What comes after stays in place.
    return data[:start] + mutant + data[start + length :]


def mutate_wal(rng, files, others):
    """The pages in a WAL, with checksums that are right again: else SQLite would not look at them."""
    wal = bytearray(files["-wal"])
    size = write_ahead_log.page_size(wal)
    frames = write_ahead_log.frames(wal)
    if frames:
        start = rng.choice(frames)
        if rng.random() < 0.2:
            wal[start : start + 8] = byte_mutations.integer(rng, bytes(wal[start : start + 8]), b"")
        else:
            page = bytes(wal[start + 24 : start + 24 + size])
            mutant = _mutate_page(rng, page, others.get("-wal", b""))
            wal[start + 24 : start + 24 + size] = mutant[:size].ljust(size, b"\0")
    if rng.random() < 0.1:
        wal[:32] = byte_mutations.mutate(rng, bytes(wal[:32]), b"")[:32].ljust(32, b"\0")
    write_ahead_log.fix_checksums(wal)
    return files | {"-wal": bytes(wal)}


def mutate_metadata(rng, files, others):
    """The property list in `Z_METADATA`."""
    return edited(files, _replacement(rng, others, "Z_METADATA", "Z_PLIST", plist_mutations.mutate))


def mutate_cache(rng, files, others):
    """The archive in `Z_MODELCACHE`, or its compressed form."""

    def mutate(rng, data, other):
        if rng.random() < 0.1:
            return byte_mutations.mutate(rng, data, other)
        mutant = plist_mutations.mutate(
            rng, generated_stores.inflated(data), generated_stores.inflated(other)
        )
        return generated_stores.deflated(mutant)

    return edited(files, _replacement(rng, others, "Z_MODELCACHE", "Z_CONTENT", mutate))


def _replacement(rng, others, table, column, mutate):
    def edit(connection):
        data = _value(connection, table, column)
        other = data
        if others:
            connection_of_other = _open(others)
            other = _value(connection_of_other, table, column)
            connection_of_other.close()
        is_text = isinstance(data, str)
        data, other = (part.encode() if isinstance(part, str) else part for part in (data, other))
        mutant = mutate(rng, data, other)
        if is_text:
            mutant = mutant.decode("utf-8", "replace")
        connection.execute(f"UPDATE {table} SET {column} = ?", [mutant])

    return edit


def blob(files, table, column):
    """The value there of a store that is one file; `None` where it has none."""
    if files.get("-wal") or files.get("-journal"):
        return None
    connection = _open(files)
    try:
        value = _value(connection, table, column)
        return value.encode() if isinstance(value, str) else value
    except sqlite3.Error:
        return None
    finally:
        connection.close()


def _value(connection, table, column):
    row = connection.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone()
    return row and row[0]


def mutate_rows(rng, files, _):
    """Values, columns and tables, through SQL: the file stays sound, what it says does not."""

    def edit(connection):
        connection.execute("PRAGMA writable_schema = ON")
        for _ in range(rng.choice([1, 1, 2, 4])):
            try:
                connection.execute(*_statement(rng, connection))
            except sqlite3.Error:
                pass  # SQLite itself refuses this one.

    return edited(files, edit)


def _statement(rng, connection):
    tables = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not name.startswith("sqlite_")
    ]
    table = rng.choice(tables)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    column = rng.choice(columns or ["Z_PK"])
    rows = rng.choice(["", " WHERE rowid % 2", " WHERE rowid = (SELECT max(rowid) FROM main.\"%s\")" % table])
    match rng.randrange(14):
        case 0 | 1 | 2 | 3:
            return f'UPDATE "{table}" SET "{column}" = ?{rows}', [_sql_value(rng)]
        case 4:
            return f'UPDATE "{table}" SET "{column}" = "{rng.choice(columns or ["1"])}"{rows}', []
        case 5:
            return f'DELETE FROM "{table}"{rows}', []
        case 6:
            return f'DROP TABLE "{table}"', []
        case 7:
            return f'ALTER TABLE "{table}" RENAME TO "{rng.choice(tables)}X"', []
        case 8:
            return f'ALTER TABLE "{table}" RENAME COLUMN "{column}" TO "{column}X"', []
        case 9:
            return f'ALTER TABLE "{table}" DROP COLUMN "{column}"', []
        case 10:
            return f'CREATE TABLE IF NOT EXISTS "{table}" AS SELECT * FROM "{table}"', []
        case 11:
            # A table that burns memory or time, where a plain one is expected.
            kind = rng.choice([
                "CREATE VIEW {0} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS {1} FROM n",
                "CREATE TABLE {0} ({1} AS (hex(zeroblob(100000000))))",
                "CREATE VIRTUAL TABLE {0} USING fts5({1})",
                "CREATE TABLE {0} ({1} PRIMARY KEY) WITHOUT ROWID",
                "CREATE TABLE {0} ({1} TEXT CHECK ({1} GLOB '*a*a*a*a*a*b'))",
                "CREATE TRIGGER t AFTER UPDATE ON {0} BEGIN DELETE FROM {0}; END",
                "CREATE TABLE {0} (",
                "",
            ]).format(table, column)  # fmt: skip
            return "UPDATE sqlite_master SET sql = ?, type = ? WHERE name = ?", [
                kind, rng.choice(["table", "view", "index"]), table,
            ]  # fmt: skip
        case 12:
            return "UPDATE sqlite_master SET rootpage = ? WHERE name = ?", [
                rng.choice([-1, 0, 1, 2, 3, 4, 1 << 31]), table,
            ]  # fmt: skip
        case 13:
            # Many rows out of few.
            others = ", ".join(f'"{name}"' for name in columns[1:])
            key = f'"{columns[0]}" + 1000 * (SELECT count(*) FROM "{table}")'
            return f'INSERT INTO "{table}" SELECT {", ".join(filter(None, [key, others]))} FROM "{table}"', []


def _sql_value(rng):
    match rng.randrange(5):
        case 0:
            return None
        case 1:
            return rng.choice([-(1 << 63), -1, 0, 1, 2, 3, 1 << 31, (1 << 63) - 1])
        case 2:
            return rng.choice([0.5, 1e308, -1e308, float("inf"), float("nan")])
        case 3:
            return rng.choice(ODDITIES + NUMBERS).decode("utf-8", "replace")
        case _:
            return rng.choice([b"", b"\0" * 5000, b"\xff\xfe", b"bplist00"])


def edited(files, edit):
    """The store after an edit; only plain stores can be edited."""
    connection = _open(files)
    connection.isolation_level = None
    edit(connection)
    data = bytearray(connection.serialize())
    connection.close()
    data[18:20] = files[""][18:20]
    return {"": bytes(data)}


def _open(files):
    connection = sqlite3.connect(":memory:")
    data = bytearray(files[""])
    data[18:20] = b"\1\1"  # SQLite refuses a store in WAL mode that lies in memory.
    connection.deserialize(bytes(data))
    return connection
