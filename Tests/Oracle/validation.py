"""What must hold in every store, rule by rule."""

from collections import Counter, defaultdict

from stores import FIRST_HISTORY_NUMBER, quoted


class Findings(list):
    """Pairs of a rule and what breaks it."""

    def add(self, rule, text):
        self.append([rule, text])


def validate_store(store, keeps_derived=True):
    """What is wrong with a store, by the rules of its model alone."""
    findings = Findings()
    if not _check_schema(store, findings):
        return findings
    _check_counters(store, findings)
    _check_rows(store, findings)
    for relationship in store.model.declared():
        _check_links(store, relationship, findings)
        _check_order(store, relationship, findings)
    _check_constraints(store, findings)
    if keeps_derived:
        _check_derived(store, findings)
    _check_history(store, findings)
    for (problem,) in store.rows("PRAGMA integrity_check"):
        if problem != "ok":
            findings.add("integrity", problem)
    return findings


def _check_schema(store, findings):
    """Tables and columns; what follows needs them all."""
    model, count = store.model, len(findings)
    wanted = {table: {"Z_PK", "Z_ENT", "Z_OPT"} for table in model.tables()}
    for what, column in model.columns.items():
        owner = what.owner
        # Without an inverse the key stands at the other end.
        if getattr(what, "is_to_many", False):
            owner = what.destination
        wanted[model.table(owner)].add(column)
        if hasattr(what, "destination"):
            wanted[model.table(owner)] |= {model.order_column(what), model.entity_column(what)} - {None}
    for table, columns in wanted.items():
        if table not in store.columns:
            findings.add("schema", f"{table} is missing")
        for column in sorted(columns - set(store.columns.get(table, columns))):
            findings.add("schema", f"{table}.{column} is missing")
    for relationship in model.declared():
        if not model.is_many_to_many(relationship):
            continue
        storage = store.storage(relationship)
        if storage is None:
            findings.add("schema", f"no join table of {relationship}, or one without its columns")
            continue
        for column in (storage.order, storage.inverse_order):
            if column and column not in store.columns[storage.table]:
                findings.add("schema", f"{storage.table}.{column} is missing")
    return len(findings) == count


def check_join_names(store, findings):
    """The entity whose name sorts first owns a join table; of a relation within one entity either end may."""
    model = store.model
    for relationship in model.declared():
        if not model.is_many_to_many(relationship) or model.inverse(relationship).owner == relationship.owner:
            continue
        storage = store.storage(relationship)
        if storage and storage.table != model.join_names(relationship)[0]:
            findings.add("join-name", f"{relationship}: {storage.table}, not {model.join_names(relationship)[0]}")


def _check_counters(store, findings):
    model = store.model
    for name, number in model.numbers.items():
        parent = model.numbers.get(model.parents[name], 0)
        row = store.counters.get(number)
        if row is None:
            findings.add("numbering", f"Z_PRIMARYKEY has no row {number} for {name}")
        elif row[1] != parent:
            findings.add("numbering", f"the parent of {name} is {row[1]}, not {parent}")
    for number, row in store.counters.items():
        if number < FIRST_HISTORY_NUMBER and model.named(number) is None:
            findings.add("numbering", f"Z_PRIMARYKEY has a row {number} ({row[0]}) of no entity")
    for table, root in model.tables().items():
        ((highest,),) = store.rows(f"SELECT coalesce(max(Z_PK), 0) FROM {quoted(table)}")
        row = store.counters.get(model.numbers[root])
        if row and (not isinstance(row[2], int) or row[2] < highest):
            findings.add("counter", f"Z_MAX of {root} is {row[2]}, its highest key {highest}")


def _check_rows(store, findings):
    model = store.model
    for table, root in model.tables().items():
        numbers = {model.numbers[name] for name in model.family(root) if not model.is_abstract(name)}
        for key, number, version in store.rows(f"SELECT Z_PK, Z_ENT, Z_OPT FROM {quoted(table)}"):
            if number not in numbers:
                findings.add("row-entity", f"{table} {key} has the entity number {number} ({model.named(number)})")
            if version is None:
                findings.add("change-count", f"{table} {key} has no Z_OPT")


def _check_links(store, relationship, findings):
    """Keys lead to rows of the right entities, and entity columns say of which."""
    model = store.model
    inverse = model.inverse(relationship)
    own, other = store.objects_of(relationship.owner), store.objects_of(relationship.destination)
    pairs = store.pairs(relationship)
    for key, destination, *_ in pairs:
        if key not in own:
            findings.add("link", f"{relationship}: {key} is no object that has it")
        if destination not in other:
            findings.add("link", f"{relationship} of {key}: {destination} is no {relationship.destination}")
    if relationship.is_to_many:
        return
    if inverse is not None and not inverse.is_to_many:
        there = {(b, a) for a, b, *_ in store.pairs(inverse)}
        for key, destination, *_ in pairs:
            if (key, destination) not in there:
                findings.add("both-ends", f"{relationship}: {key} has {destination}, which does not have it")
    column = model.entity_column(relationship)
    if column:
        table, destinations = model.table(relationship.owner), store.objects[model.table(relationship.destination)]
        key_column = model.columns[relationship]
        for key, destination, number in store.rows(
            f"SELECT Z_PK, {quoted(key_column)}, {quoted(column)} FROM {quoted(table)}"
        ):
            wanted = model.numbers.get(destinations.get(destination)) if destination is not None else None
            if number != wanted:
                findings.add("entity-column", f"{table}.{column} of {key} is {number}, not {wanted}")


def _check_order(store, relationship, findings):
    """Whoever is in an ordered relationship has a place of its own, and nobody else has one."""
    if not relationship.is_to_many or not relationship.is_ordered:
        return
    storage = store.storage(relationship)
    places = defaultdict(Counter)
    for own, other, place, _ in store.pairs(relationship):
        if place is None:
            findings.add("order-missing", f"{relationship} of {own}: {other} has no place")
        else:
            places[own][place] += 1
    for own, counts in places.items():
        for place, count in counts.items():
            if count > 1:
                findings.add("order-twice", f"{relationship} of {own}: {count} objects have the place {place}")
    if not storage.is_join:
        for (key,) in store.rows(
            f"SELECT Z_PK FROM {quoted(storage.table)} WHERE {quoted(storage.own)} IS NULL "
            f"AND {quoted(storage.order)} IS NOT NULL"
        ):
            findings.add("order-left", f"{storage.table} {key} has a place in {relationship}, and no owner")


def _check_constraints(store, findings):
    model = store.model
    for name, entity in model.entities.items():
        for constraint in entity.get("constraints", []):
            columns = [_column(model, name, part) for part in constraint]
            if None in columns:
                continue
            # An index covers the whole table.
            values = store.rows(f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(model.table(name))}")
            counts = Counter(row for row in values if None not in row)
            for row, count in counts.items():
                if count > 1:
                    findings.add("unique", f"{name} ({', '.join(constraint)}): {count} objects have {row}")


def _column(model, entity, name):
    what = model.leaf(entity, name) or model.relationship(name, entity)
    return model.columns.get(what)


def _check_derived(store, findings):
    """`relationship.@count`, and an attribute through a to-one relationship."""
    model = store.model
    for name in model.order:
        for leaf in model.leaves[name]:
            if not leaf.derivation or "." not in leaf.derivation:
                continue
            path, _, last = leaf.derivation.rpartition(".")
            relationship = model.relationship(path, name)
            if relationship is None:
                continue
            pairs = store.pairs(relationship)
            if last == "@count":
                counts = Counter(own for own, *_ in pairs)
                wanted = {key: counts[key] for key in store.objects_of(name)}
            else:
                values = store.values(model.leaf(relationship.destination, last))
                destinations = {own: other for own, other, *_ in pairs}
                wanted = {key: values.get(destinations.get(key)) for key in store.objects_of(name)}
            found = store.values(leaf)
            for key in sorted(wanted):
                if found[key] != wanted[key]:
                    findings.add("derived", f"{name}.{leaf.name} of {key} is {found[key]!r}, not {wanted[key]!r}")


def _check_history(store, findings):
    if "ACHANGE" not in store.columns:
        return
    for key, number in store.rows("SELECT Z_PK, ZENTITY FROM ACHANGE"):
        if store.model.named(number) is None:
            findings.add("history-entity", f"ACHANGE {key} is of entity {number}, which there is not")
