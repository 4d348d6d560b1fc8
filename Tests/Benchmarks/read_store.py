"""The yardstick of reading a store: Python's sqlite3, a dictionary for each object."""

import sqlite3
import sys

NAMES = "active age amount born city code height ident mail price score size".split()

store = sqlite3.connect(sys.argv[1])
columns = ", ".join("Z" + name.upper() for name in NAMES)
count = total = 0
for row in store.execute(f"SELECT {columns} FROM ZPERSON WHERE Z_ENT = 1 ORDER BY Z_PK"):
    person = dict(zip(NAMES, row))
    count += 1
    total += person["age"]
print(count, total)
