"""Mutations of the rows and numbers of a sound store: what SQLite finds sound, and Core Data would not."""

import sqlite3

import store_mutations

LIMITS = [
    0, 1, -1, 2, 3, 127, 32767, 32768, -32768, -32769, (1 << 31) - 1, 1 << 31, -(1 << 31), 1 << 53, (1 << 53) + 1,
    (1 << 63) - 1, (1 << 63) - 2, -(1 << 63), -(1 << 63) + 1,
]  # fmt: skip
REALS = [0.5, -0.5, 1.5, 1e15, 1e308, -1e308, 5e-324, float("inf"), float("-inf"), -0.0, 2.0**63, -(2.0**63), 0.1]
OTHERS = ["", "abc", "12", " 7", "1e5", "9223372036854775808", "a\0b", "Löcher 🎈", b"", b"\0", b"\1", b"\2x", b"12"]


def mutate(rng, files, _):
    """One to five changes, each of one row or of several."""

    def edit(connection):
        for _ in range(rng.choice([1, 1, 2, 3, 5])):
            try:
                connection.execute(*_statement(rng, connection))
            except sqlite3.Error:
                pass  # SQLite itself refuses this one.

    return store_mutations.edited(files, edit)


def _statement(rng, connection):
    tables = [
        name
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        if name not in ("Z_METADATA", "Z_MODELCACHE") and not name.startswith("sqlite_")
    ]
    table = rng.choice(tables)
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    keys = [row[0] for row in connection.execute(f'SELECT rowid FROM "{table}" ORDER BY rowid')]
    if not keys:
        return "SELECT 1", []
    if rng.random() < 0.08:
        return f'DELETE FROM "{table}" WHERE rowid = ?', [rng.choice(keys)]
    if rng.random() < 0.05:
        # The same object twice, under another key.
        others = ", ".join(f'"{name}"' for name in columns[1:])
        return (
            f'INSERT INTO "{table}" ("{columns[0]}", {others}) SELECT ?, {others} FROM "{table}" WHERE rowid = ?',
            [rng.choice(LIMITS), rng.choice(keys)],
        )
    column = rng.choice(columns)
    rows = rng.choice(["rowid = ?1", "rowid = ?1", "rowid >= ?1"])
    if rng.random() < 0.2:
        # A value of another row, or another column: a key twice, an order twice.
        return (
            f'UPDATE "{table}" SET "{column}" = (SELECT "{rng.choice([column, column, rng.choice(columns)])}" '
            f'FROM "{table}" WHERE rowid = ?2) WHERE {rows}', [rng.choice(keys), rng.choice(keys)],
        )  # fmt: skip
    return f'UPDATE "{table}" SET "{column}" = ?2 WHERE {rows}', [rng.choice(keys), _value(rng)]


def _value(rng):
    kind = rng.random()
    if kind < 0.15:
        return None
    if kind < 0.65:
        return rng.choice([rng.choice(LIMITS), rng.randrange(1, 9)])
    return rng.choice(REALS if kind < 0.8 else OTHERS)
