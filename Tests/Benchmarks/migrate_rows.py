"""Splits a text of each row into two columns, in Python: the yardstick for policies.

migrate_rows.py loop|function OLD NEW prints the seconds. `loop` calls a function with each row and
inserts what it gives; `function` has INSERT ... SELECT call two functions with one value each.
"""

import sqlite3
import sys
import time

COLUMNS = """Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZACTIVE INTEGER, ZAGE INTEGER,
    ZAMOUNT INTEGER, ZSIZE INTEGER, ZTEAM INTEGER, ZBORN TIMESTAMP, ZHEIGHT FLOAT, ZSCORE FLOAT,
    ZPRICE DECIMAL, ZCITY VARCHAR, ZCODE VARCHAR, ZMAIL VARCHAR, ZIDENT BLOB"""
NAMES = [part.split()[0] for part in COLUMNS.split(",")]


def split(row):
    row = list(row)
    row[NAMES.index("ZCITY")], _, row[NAMES.index("ZCODE")] = row[NAMES.index("ZMAIL")].partition(" ")
    return row


def main():
    kind, old, new = sys.argv[1:]
    start = time.perf_counter()
    target = sqlite3.connect(new, isolation_level=None, uri=True)
    target.execute("PRAGMA journal_mode = MEMORY")
    target.execute("PRAGMA synchronous = OFF")
    target.execute(f"ATTACH 'file:{old}?immutable=1' AS source")
    target.execute("BEGIN")
    target.execute(f"CREATE TABLE ZPERSON ({COLUMNS})")
    names = ", ".join(NAMES)
    if kind == "loop":
        source = sqlite3.connect(f"file:{old}?immutable=1", uri=True)
        rows = source.execute(f"SELECT {names} FROM ZPERSON")
        marks = ", ".join("?" * len(NAMES))
        target.executemany(f"INSERT INTO main.ZPERSON VALUES ({marks})", map(split, rows))
    else:
        target.create_function("head", 1, lambda text: text.partition(" ")[0])
        target.create_function("tail", 1, lambda text: text.partition(" ")[2])
        values = names.replace("ZCITY", "head(ZMAIL)").replace("ZCODE", "tail(ZMAIL)")
        target.execute(f"INSERT INTO main.ZPERSON ({names}) SELECT {values} FROM source.ZPERSON")
    target.execute("COMMIT")
    print(time.perf_counter() - start)


main()
