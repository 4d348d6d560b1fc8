"""A store as SQLite holds it, read by the description of its model."""

import sqlite3
from functools import cached_property

from models import Model

# What Core Data's own triggers call.
FUNCTIONS = [
    "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
]
SYSTEM_TABLES = {"Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"}
HISTORY_TABLES = {"ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"}
# The first of the three numbers of the history's own entities.
FIRST_HISTORY_NUMBER = 16001


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Store:
    def __init__(self, path, model):
        self.model = Model(model)
        self.connection = sqlite3.connect(path)
        self.connection.isolation_level = None
        # No store here outlives a crash.
        self.connection.execute("PRAGMA synchronous = OFF")
        for name in FUNCTIONS:
            self.connection.create_function(name, -1, lambda *_: None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def rows(self, sql, *values):
        return self.connection.execute(sql, values).fetchall()

    @cached_property
    def schema(self):
        """Name to (type, table, SQL), without what SQLite keeps for itself."""
        return {
            name: (kind, table, sql)
            for kind, name, table, sql in self.rows("SELECT type, name, tbl_name, sql FROM sqlite_master")
            if not name.startswith("sqlite_")
        }

    @cached_property
    def columns(self):
        """The columns of each table."""
        return {
            name: [row[1] for row in self.rows(f"PRAGMA table_info({quoted(name)})")]
            for name, (kind, _, _) in self.schema.items()
            if kind == "table"
        }

    @cached_property
    def objects(self):
        """By table, key to entity: only those of entities that the table may hold."""
        found = {}
        for table, root in self.model.tables().items():
            numbers = self.model.family_numbers(root)
            found[table] = {
                key: self.model.named(number)
                for key, number in self.rows(f"SELECT Z_PK, Z_ENT FROM {quoted(table)}")
                if number in numbers
            }
        return found

    def objects_of(self, entity):
        """The keys of an entity and of all below it."""
        family = set(self.model.family(entity))
        return {key for key, found in self.objects[self.model.table(entity)].items() if found in family}

    def storage(self, relationship):
        return self.model.storage(relationship, self.columns)

    def pairs(self, relationship):
        """(own key, other key, place among the own one's, place among the other one's)."""
        storage = self.storage(relationship)
        if storage is None:
            return []
        places = [quoted(name) if name else "NULL" for name in (storage.order, storage.inverse_order)]
        own, other = quoted(storage.own), quoted(storage.other)
        pairs = self.rows(
            f"SELECT {own}, {other}, {', '.join(places)} FROM {quoted(storage.table)} "
            f"WHERE {own} IS NOT NULL AND {other} IS NOT NULL"
        )
        if storage.is_join and self.model.inverse(relationship) == relationship:
            # Whether a pair takes one row or two is unknown: both are the same.
            return sorted({(a, b, None, None) for a, b, _, _ in pairs} | {(b, a, None, None) for a, b, _, _ in pairs})
        return pairs

    def values(self, leaf):
        """Key to value, of the rows that have the attribute."""
        table = self.model.table(leaf.owner)
        return dict(self.rows(f"SELECT Z_PK, {quoted(self.model.columns[leaf])} FROM {quoted(table)}"))

    @cached_property
    def counters(self):
        """Number to (name, parent, Z_MAX)."""
        return {row[0]: row[1:] for row in self.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY")}

    def model_tables(self):
        joins = {
            storage.table
            for found in self.model.declared()
            if self.model.is_many_to_many(found) and (storage := self.storage(found))
        }
        return set(self.model.tables()) | joins

    def foreign(self):
        """What stands in the file beside the model's tables: name to (type, table, SQL)."""
        own = self.model_tables() | SYSTEM_TABLES | HISTORY_TABLES
        # All names that Core Data gives begin with Z, or A for its history.
        return {
            name: entry
            for name, entry in self.schema.items()
            if name not in own and not name.startswith(("Z", "ANSCK", "ACHANGE", "ATRANSACTION"))
        }
