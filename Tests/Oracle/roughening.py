"""Makes a generated store as rough as one that an app has used for years, with SQLite alone.

Order keys are not in the order of keys, counters are beyond what is there, rows have been deleted, history has been
recorded, and the app keeps tables of its own in the file.
"""

import random
import struct
from collections import defaultdict

from comparison import MARKER
from stores import FIRST_HISTORY_NUMBER, quoted

HISTORY = [
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
    "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB )",
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
    "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
    "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME)",
]
# What mirroring to CloudKit keeps of each object.
MIRROR = [
    "CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
    "ZENTITYID INTEGER, ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR )",
    "CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK ON ANSCKRECORDMETADATA "
    "(ZENTITYID COLLATE BINARY ASC, ZENTITYPK COLLATE BINARY ASC)",
]
OWN_TABLES = [
    "CREATE TABLE app_settings (key TEXT PRIMARY KEY, value) WITHOUT ROWID",
    "CREATE TABLE app_log (id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT, at REAL)",
    "CREATE INDEX app_log_at ON app_log (at)",
    "CREATE VIEW app_recent AS SELECT what FROM app_log ORDER BY at DESC LIMIT 3",
    "CREATE TRIGGER app_log_added AFTER INSERT ON app_settings BEGIN "
    "INSERT INTO app_log (what, at) VALUES (NEW.key, 1.5); END",
]


def roughen(store, seed):
    """Changes the store; everything in it stays valid."""
    rng = random.Random(seed)
    store.connection.execute("BEGIN")
    _mark(store)
    _delete_rows(store, rng)
    _shuffle_order(store, rng)
    _raise_counts(store, rng)
    _add_history(store, rng)
    if rng.random() < 0.3:
        _add_mirror(store)
    _add_own_tables(store, rng)
    store.connection.execute("COMMIT")


def _mark(store):
    for table, root in store.model.tables().items():
        leaf = store.model.leaf(root, MARKER)
        if leaf:
            column = quoted(store.model.columns[leaf])
            store.connection.execute(f"UPDATE {quoted(table)} SET {column} = ? || Z_PK", [f"{root}/"])


def _delete_rows(store, rng):
    """One row of some tables, with the links to it, as the app's own deletion would leave it."""
    model = store.model
    required = {
        model.table(found.destination)
        for found in model.declared()
        if not found.is_optional
    }  # fmt: skip
    for table in model.tables():
        keys = sorted(store.objects[table])
        if table in required or len(keys) < 2 or rng.random() < 0.5:
            continue
        key = rng.choice(keys)
        for relationship in model.declared():
            storage = store.storage(relationship)
            if storage is None or storage.is_join and model.table(relationship.owner) != table:
                continue
            if storage.is_join:
                store.connection.execute(
                    f"DELETE FROM {quoted(storage.table)} WHERE {quoted(storage.own)} = ?", [key]
                )
                if model.inverse(relationship) == relationship:
                    store.connection.execute(
                        f"DELETE FROM {quoted(storage.table)} WHERE {quoted(storage.other)} = ?", [key]
                    )
            elif not relationship.is_to_many and model.table(relationship.destination) == table:
                _release(store, model, relationship, storage.table, storage.other, key)
            elif storage.own != "Z_PK" and model.table(relationship.owner) == table:
                _release(store, model, relationship, storage.table, storage.own, key)
        store.connection.execute(f"DELETE FROM {quoted(table)} WHERE Z_PK = ?", [key])
        del store.objects[table][key]


def _release(store, model, relationship, table, column, key):
    """Rows that keep the key let go of it."""
    what = relationship if relationship in model.columns else model.inverse(relationship)
    others = [model.order_column(what), model.entity_column(what)]
    assignments = ", ".join(f"{quoted(name)} = NULL" for name in [column, *others] if name)
    store.connection.execute(f"UPDATE {quoted(table)} SET {assignments} WHERE {quoted(column)} = ?", [key])


def _shuffle_order(store, rng):
    for relationship in store.model.declared():
        if not relationship.is_to_many or not relationship.is_ordered:
            continue
        storage = store.storage(relationship)
        siblings = defaultdict(list)
        for own, other, *_ in store.pairs(relationship):
            siblings[own].append(other)
        updates = []
        for own, others in siblings.items():
            rng.shuffle(others)
            place = 2048
            for other in others:
                updates.append((place, own, other))
                place += rng.choice([1, 512, 1024, 1024, 3000])
        store.connection.executemany(
            f"UPDATE {quoted(storage.table)} SET {quoted(storage.order)} = ? "
            f"WHERE {quoted(storage.own)} = ? AND {quoted(storage.other)} = ?", updates,
        )  # fmt: skip


def _raise_counts(store, rng):
    for table, root in store.model.tables().items():
        store.connection.executemany(
            f"UPDATE {quoted(table)} SET Z_OPT = ? WHERE Z_PK = ?",
            [(rng.randrange(2, 50), key) for key in store.objects[table]],
        )
        store.connection.execute(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_ENT = ?",
            [rng.randrange(1, 100), store.model.numbers[root]],
        )


def _add_history(store, rng):
    for sql in HISTORY:
        store.connection.execute(sql)
    execute = store.connection.executemany
    execute(
        "INSERT INTO ATRANSACTIONSTRING VALUES (?, 16003, NULL, ?)", [(1, "app"), (2, "widget"), (3, "org.example")]
    )
    execute(
        "INSERT INTO ATRANSACTION VALUES (?, 16002, NULL, ?, 3, NULL, 2, ?, 'Ann', NULL, NULL, NULL, ?)",
        [(key, rng.randrange(1, 3), 7e8 + key / 8, struct.pack(">q", key)) for key in range(1, 5)],
    )
    changes = []
    for name in rng.choices(store.model.order, k=3 * len(store.model.order)):
        if store.model.is_abstract(name):
            continue
        keys = sorted(store.objects[store.model.table(name)]) or [1]
        columns = rng.choice([None, b"\x05", b""])
        changes.append((rng.randrange(3), store.model.numbers[name], rng.choice(keys), rng.randrange(1, 5), columns))
    execute("INSERT INTO ACHANGE VALUES (?, 16001, NULL, ?, ?, ?, ?, ?)",
            [(key, *change) for key, change in enumerate(changes, start=1)])  # fmt: skip
    names = ["CHANGE", "TRANSACTION", "TRANSACTIONSTRING"]
    highest = [len(changes) + 7, 4, 3]
    execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)",
            [(FIRST_HISTORY_NUMBER + place, name, highest[place]) for place, name in enumerate(names)])  # fmt: skip


def _add_mirror(store):
    for sql in MIRROR:
        store.connection.execute(sql)
    found = [(table, key, name) for table, objects in store.objects.items() for key, name in objects.items()]
    store.connection.executemany(
        "INSERT INTO ANSCKRECORDMETADATA VALUES (?, 16007, 1, ?, ?, ?)",
        [(place, store.model.numbers[name], key, f"{table} {key}")
         for place, (table, key, name) in enumerate(found, start=1)],
    )  # fmt: skip


def _add_own_tables(store, rng):
    for sql in OWN_TABLES:
        store.connection.execute(sql)
    values = [None, 7, -(1 << 63), 1.5, "Löcher 🎈", b"\0\xff", ""]
    store.connection.executemany(
        "INSERT INTO app_settings VALUES (?, ?)", [(f"key {place}", value) for place, value in enumerate(values)]
    )
    table = rng.choice(list(store.model.tables()))
    # What the app hangs on a table of the model must not wake while rows move.
    if rng.random() < 0.4:
        event = rng.choice(["INSERT", "UPDATE", "DELETE"])
        store.connection.execute(
            f"CREATE TRIGGER app_watch AFTER {event} ON {quoted(table)} BEGIN "
            f"INSERT INTO app_log (what, at) VALUES ('{event}', 2.5); END"
        )
    if rng.random() < 0.3:
        store.connection.execute(f"CREATE VIEW app_objects AS SELECT Z_PK, Z_OPT FROM {quoted(table)}")
    if rng.random() < 0.3:
        store.connection.execute(f"CREATE INDEX app_objects_opt ON {quoted(table)} (Z_OPT)")
