"""What a migration must have kept, object by object, link by link."""

from collections import defaultdict

from stores import FIRST_HISTORY_NUMBER, HISTORY_TABLES, quoted
from validation import Findings

# Every object has one of its own: how it is known again in another store.
MARKER = "marker"


class Continuation:
    """Which entity and which property goes on as which."""

    def __init__(self, entities):
        self.by_destination = {entry["destination"]: entry for entry in entities if entry.get("source")}
        self.by_source = defaultdict(list)
        for name, entry in self.by_destination.items():
            self.by_source[entry["source"]].append(name)

    def source(self, destination):
        return self.by_destination.get(destination, {}).get("source")

    def destination(self, source):
        found = self.by_source.get(source, [])
        return found[0] if len(found) == 1 else None

    def relationship(self, destination, name):
        return self.by_destination.get(destination, {}).get("relationships", {}).get(name)

    def attributes(self, destination):
        return self.by_destination.get(destination, {}).get("attributes", {})


class Comparison:
    def __init__(self, source, target, continuation, in_place, named=()):
        self.source = source
        self.target = target
        self.goes_on = Continuation(continuation)
        self.in_place = in_place
        # What the migration said would go, in words.
        self.named = " ".join(named)
        self.findings = Findings()
        # Relationships that two stories are told of.
        self.skipped = 0

    def run(self):
        self.before, self.after = Marked(self.source), Marked(self.target)
        self._check_objects()
        self._check_attributes()
        for relationship in self.target.model.declared():
            self._check_relationship(relationship)
        if self.in_place:
            self._check_counters()
            self._check_history()
        self._check_foreign()
        return self.findings

    # Objects.

    def _check_objects(self):
        wanted = {}
        for marker, (entity, key) in self.before.by_marker.items():
            destination = self.goes_on.destination(entity)
            if destination is not None:
                wanted[marker] = (destination, key)
        for marker in self.after.by_marker.keys() - wanted.keys():
            self.findings.add("objects", f"{marker} is there and comes from nowhere")
        for marker, (entity, key) in wanted.items():
            found = self.after.by_marker.get(marker)
            if found is None:
                self.findings.add("objects", f"{marker} is lost")
            elif found[0] != entity:
                self.findings.add("objects", f"{marker} is of {found[0]}, not of {entity}")
            elif self.in_place and found[1] != key:
                self.findings.add("key", f"{marker} has the key {found[1]}, not {key}")
        if self.after.unmarked:
            self.findings.add("objects", f"{self.after.unmarked} objects are not known again")
        if self.in_place:
            for marker in wanted.keys() & self.after.by_marker.keys():
                old, new = self.before.change_counts[marker], self.after.change_counts[marker]
                if old != new:
                    self.findings.add("change-count", f"Z_OPT of {marker} is {new}, not {old}")

    def survivor(self, marker, entity):
        """Whether the object is there, as one of the entity or of those below it."""
        found = self.after.by_marker.get(marker)
        return found is not None and found[0] in self.target.model.family(entity)

    def _check_attributes(self):
        for destination in self.target.model.order:
            source = self.goes_on.source(destination)
            for new, old in self.goes_on.attributes(destination).items():
                leaf, before = self.target.model.leaf(destination, new), self.source.model.leaf(source, old)
                # Of other types, and where data may lie in files, others look.
                if leaf is None or before is None or leaf.type != before.type or leaf.derivation:
                    continue
                if leaf.is_external or before.is_external:
                    continue
                olds, news = self.before.values(before, source), self.after.values(leaf, destination)
                for marker, value in olds.items():
                    if marker not in news or news[marker] == value:
                        continue
                    if value is None and not leaf.is_optional:
                        continue  # A value stands in for one that is required.
                    self.findings.add(
                        "values", f"{destination}.{new} of {marker} is {news[marker]!r}, not {value!r}"
                    )

    # Relationships.

    def _check_relationship(self, relationship):
        model, old_model = self.target.model, self.source.model
        inverse = model.inverse(relationship)
        forward = self._sources(relationship)
        backward = self._sources(inverse) if inverse else {}
        for old in forward.values():
            for other in backward.values():
                if old_model.inverse(old) != other:
                    self.skipped += 1
                    return
        wanted = {}
        for entity, old in forward.items():
            wanted |= self._pairs(old, entity, relationship)
        for entity, old in backward.items():
            for (own, other), (place, inverse_place) in self._pairs(old, entity, inverse).items():
                wanted.setdefault((other, own), (inverse_place, place))
        found = {
            (self.after.marker(relationship.owner, own), self.after.marker(relationship.destination, other)): place
            for own, other, place, _ in self.target.pairs(relationship)
        }
        limits_own = not relationship.is_to_many
        limits_other = not inverse.is_to_many if inverse else relationship.is_to_many
        self._check_pairs(relationship, wanted, found, limits_own, limits_other)
        if relationship.is_ordered:
            self._check_sequences(relationship, forward, wanted, found)

    def _sources(self, relationship):
        """By the concrete entities that have it, the relationship that it continues."""
        found = {}
        for entity in self.target.model.family(relationship.owner):
            source, name = self.goes_on.source(entity), self.goes_on.relationship(entity, relationship.name)
            old = self.source.model.relationship(name, source) if source and name else None
            if old is not None:
                found[entity] = old
        return found

    def _pairs(self, old, entity, relationship):
        """The pairs of an old relationship whose both ends are there, seen from the objects of one entity."""
        source = self.goes_on.source(entity)
        pairs = {}
        for own, other, place, inverse_place in self.source.pairs(old):
            own, other = self.before.marker(old.owner, own), self.before.marker(old.destination, other)
            if own is None or other is None or self.before.by_marker[own][0] != source:
                continue
            if self.survivor(own, relationship.owner) and self.survivor(other, relationship.destination):
                pairs[own, other] = (place, inverse_place)
        return pairs

    def _check_pairs(self, relationship, wanted, found, limits_own, limits_other):
        for pair in found.keys() - wanted.keys():
            self.findings.add("links", f"{relationship}: {pair[0]} -> {pair[1]} was not there before")
        by_own, by_other = defaultdict(list), defaultdict(list)
        for pair in wanted:
            by_own[pair[0]].append(pair)
            by_other[pair[1]].append(pair)
        crowded_own = limits_own and any(len(pairs) > 1 for pairs in by_own.values())
        crowded_other = limits_other and any(len(pairs) > 1 for pairs in by_other.values())
        if not crowded_own and not crowded_other:
            for pair in wanted.keys() - found.keys():
                self.findings.add("links", f"{relationship}: {pair[0]} -> {pair[1]} is lost")
        elif crowded_own != crowded_other:
            # Each keeps one, of those in an order the first.
            for marker, pairs in (by_own if crowded_own else by_other).items():
                kept = [pair for pair in pairs if pair in found]
                places = [wanted[pair][0 if crowded_own else 1] for pair in pairs]
                if len(kept) != 1:
                    self.findings.add("links", f"{relationship}: {marker} keeps {len(kept)} of {len(pairs)}")
                elif None not in places and wanted[kept[0]][0 if crowded_own else 1] != min(places):
                    self.findings.add("first", f"{relationship}: {marker} keeps {kept[0]}, which was not its first")

    def _check_sequences(self, relationship, forward, wanted, found):
        ordered = {entity for entity, old in forward.items() if old.is_ordered}
        sequences = defaultdict(list)
        for (own, other), place in found.items():
            sequences[own].append((place, other))
        for own, places in sequences.items():
            if own is None or self.after.by_marker[own][0] not in ordered or any(p is None for p, _ in places):
                continue
            now = [other for _, other in sorted(places, key=lambda entry: entry[0])]
            if any((own, other) not in wanted for other in now):
                continue
            before = sorted(now, key=lambda other: (wanted[own, other][0] is None, wanted[own, other][0] or 0))
            if now != before:
                self.findings.add("order", f"{relationship} of {own}: {now}, before {before}")

    # What is Core Data's own, and what is nobody's.

    def _check_counters(self):
        old, new = self.source.counters, self.target.counters
        for destination, entry in self.goes_on.by_destination.items():
            before = old.get(self.source.model.numbers[self.source.model.root(entry["source"])])
            after = new.get(self.target.model.numbers[self.target.model.root(destination)])
            if before and after and (after[2] or 0) < (before[2] or 0):
                self.findings.add(
                    "counter-lower", f"Z_MAX for {destination} is {after[2]}, was {before[2]}"
                )
        for number, row in old.items():
            if number >= FIRST_HISTORY_NUMBER and new.get(number) != row:
                self.findings.add("history-counter", f"Z_PRIMARYKEY {number} is {new.get(number)}, was {row}")
        uuids = [store.rows("SELECT Z_UUID FROM Z_METADATA") for store in (self.source, self.target)]
        if uuids[0] != uuids[1]:
            self.findings.add("uuid", f"{uuids[1]}, was {uuids[0]}")

    def _check_history(self):
        for table, columns in self.source.columns.items():
            number = {"ACHANGE": "ZENTITY"}.get(table) or ("ZENTITYID" if table.startswith("ANSCK") else None)
            if number in columns:
                self._check_numbered(table, columns, number)
            elif table in HISTORY_TABLES:
                self._check_same(table, "history")

    def _check_numbered(self, table, columns, number):
        """Rows of entities that go on have the new number, and all else as before."""
        place = columns.index(number)
        now = {row[0]: row for row in _contents(self.target, table, columns)}
        for row in _contents(self.source, table, columns):
            destination = self.goes_on.destination(self.source.model.named(row[place]))
            if destination is None:
                continue
            wanted = list(row)
            wanted[place] = self.target.model.numbers[destination]
            if now.get(row[0]) != tuple(wanted):
                self.findings.add("history", f"{table} {row[0]} is {now.get(row[0])}, not {tuple(wanted)}")

    def _check_same(self, table, rule):
        columns = self.source.columns[table]
        if self.target.columns.get(table) != columns:
            self.findings.add(rule, f"{table} has the columns {self.target.columns.get(table)}, had {columns}")
        elif _contents(self.source, table, columns) != _contents(self.target, table, columns):
            self.findings.add(rule, f"the rows of {table} have changed")

    def _check_foreign(self):
        own = self.source.model_tables()
        for name, (kind, table, sql) in self.source.foreign().items():
            if kind == "table":
                self._check_same(name, "foreign-table")
            if self.target.schema.get(name, (None, None, None))[2] == sql:
                continue
            # What stands on a table of the model may go with it, and must be named then.
            if (table in own or kind == "view") and name in self.named:
                continue
            self.findings.add("foreign", f"the {kind} {name} is {self.target.schema.get(name)}, was {sql}")


def _contents(store, table, columns):
    return store.rows(f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(table)} ORDER BY 1")


class Marked:
    """The objects of a store by their markers."""

    def __init__(self, store):
        self.store = store
        self.by_marker = {}
        self.change_counts = {}
        # By table, key to marker.
        self.markers = {}
        self.unmarked = 0
        for table, root in store.model.tables().items():
            leaf = store.model.leaf(root, MARKER)
            counts = dict(store.rows(f"SELECT Z_PK, Z_OPT FROM {quoted(table)}"))
            found = self.markers[table] = {}
            for key, marker in (store.values(leaf) if leaf else {}).items():
                entity = store.objects[table].get(key)
                if marker is None or entity is None or marker in self.by_marker:
                    self.unmarked += 1
                    continue
                found[key] = marker
                self.by_marker[marker] = (entity, key)
                self.change_counts[marker] = counts[key]

    def marker(self, entity, key):
        return self.markers[self.store.model.table(entity)].get(key)

    def values(self, leaf, entity):
        """Marker to value, of the objects of the entity itself."""
        table = self.store.model.table(entity)
        return {
            self.markers[table][key]: value
            for key, value in self.store.values(leaf).items()
            if key in self.markers[table] and self.store.objects[table][key] == entity
        }
