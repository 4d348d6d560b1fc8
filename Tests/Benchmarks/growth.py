"""How the work of Strata's commands grows: each is run at n, 2n, 4n and 8n of what a dimension counts, and
the exponent of its CPU time and of its peak memory is fitted by least squares over the logarithms.

Scripts/benchmark --growth calls this; the output is a table in Markdown.
"""

import math
import os
import plistlib
import sqlite3
import subprocess
import tempfile
from pathlib import Path

# Over the sizes below, n log n fits to between 1.1 and 1.25, n times its root to 1.5.
LIMIT = 1.3
STEPS = (1, 2, 4, 8)


class Failure(Exception):
    """A command that did not end as it should have."""


# MARK: Models


def attribute(name, kind="String", more=""):
    return f'<attribute name="{name}" optional="YES" attributeType="{kind}" {more}/>'


def relationship(name, destination, inverse, many=False):
    count = 'toMany="YES"' if many else 'maxCount="1"'
    return (
        f'<relationship name="{name}" optional="YES" {count} deletionRule="Nullify" '
        f'destinationEntity="{destination}" inverseName="{inverse}" inverseEntity="{destination}"/>'
    )


def entity(name, properties, parent=None):
    of = f' parentEntity="{parent}"' if parent else ""
    return f'<entity name="{name}" representedClassName="{name}" syncable="YES"{of}>{"".join(properties)}</entity>'


def write_bundle(path, versions):
    """A bundle whose versions are given as lists of entities; the last one is current."""
    for name, entities in versions.items():
        folder = Path(path, f"{name}.xcdatamodel")
        folder.mkdir(parents=True)
        Path(folder, "contents").write_text(
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
            '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" '
            'lastSavedToolsVersion="21754" systemVersion="22E252" minimumToolsVersion="Automatic" '
            'sourceLanguage="Swift" userDefinedModelVersionIdentifier="">\n'
            + "\n".join(entities) + "\n</model>\n"
        )
    with open(Path(path, ".xccurrentversion"), "wb") as file:
        plistlib.dump({"_XCCurrentVersionName": f"{name}.xcdatamodel"}, file)


def flat_entities(count, extra=False):
    """Each with two attributes and a to-one relationship to the one before it, and its inverse."""
    names = [f"Thing{number:05}" for number in range(count)]
    return [
        entity(name, [
            attribute("title"), attribute("size", "Integer 32"),
            *([attribute("note")] if extra else []),
            relationship("before", names[place - 1], "after"),
            relationship("after", names[(place + 1) % count], "before", many=True),
        ])
        for place, name in enumerate(names)
    ]


def renamed_entities(count, extra=False):
    """A ring of one-to-one relationships; in the second version all entities have other names."""
    names = [f"{'Item' if extra else 'Thing'}{number:05}" for number in range(count)]
    return [
        entity(name, [
            attribute("title"), relationship("before", names[place - 1], "after"),
            relationship("after", names[(place + 1) % count], "before"),
        ])
        for place, name in enumerate(names)
    ]


def family(count, extra=False):
    """One root with all other entities directly below it."""
    return [entity("Root", [attribute("title")] + ([attribute("note")] if extra else []))] + [
        entity(f"Child{number:05}", [], "Root") for number in range(count)
    ]


def wide_family(count, extra=False):
    """The same, each with an attribute of its own."""
    return family(0, extra) + [
        entity(f"Child{number:05}", [attribute(f"own{number:05}", "Integer 32")], "Root")
        for number in range(count)
    ]


def chains(attributes, extra=False):
    """Twenty hierarchies, each an entity below another, with so many attributes, inherited ones counted."""
    depth = round(math.sqrt(attributes / 20))
    return [
        entity(
            f"Tree{tree:02}Level{level:03}",
            [attribute(f"value{level:03}{letter}") for letter in "ab"]
            + ([attribute(f"note{level:03}")] if extra else []),
            f"Tree{tree:02}Level{level - 1:03}" if level else None,
        )
        for tree in range(20) for level in range(depth)
    ]


def wide_entity(count, extra=False):
    kinds = ("String", "Integer 64", "Double", "Date")
    properties = [attribute(f"value{place:05}", kinds[place % 4]) for place in range(count)]
    return [entity("Wide", properties + ([attribute("note")] if extra else []))]


def constrained_entity(count, extra=False):
    """An entity with as many uniqueness constraints as attributes."""
    constraints = "".join(
        f'<uniquenessConstraint><constraint value="value{place:05}"/></uniquenessConstraint>'
        for place in range(count))
    return [entity("Strict", [
        *(attribute(f"value{place:05}") for place in range(count)),
        *([attribute("note")] if extra else []),
        f"<uniquenessConstraints>{constraints}</uniquenessConstraints>",
    ])]


def derived_attributes(count, extra=False):
    derived = 'derived="YES" derivationExpression="{}"'
    kinds = ("members.@count", "title", "members.@sum.age")
    return [
        entity("Team", [
            attribute("title"), *([attribute("note")] if extra else []),
            *(attribute(f"derived{place:05}", "String" if place % 3 == 1 else "Integer 64",
                        derived.format(kinds[place % 3])) for place in range(count)),
            relationship("members", "Person", "team", many=True),
        ]),
        entity("Person", [attribute("age", "Integer 64"), relationship("team", "Team", "members")]),
    ]


def related_entities(count, extra=False):
    """Two entities with many relationships, a quarter of them many-to-many."""
    (mine, theirs) = ([], [])
    for place in range(count):
        one = place % 4 != 0
        mine.append(relationship(f"mine{place:05}", "Theirs", f"theirs{place:05}", many=not one))
        theirs.append(relationship(f"theirs{place:05}", "Mine", f"mine{place:05}", many=True))
    note = [attribute("note")] if extra else []
    return [entity("Mine", [attribute("title"), *note, *mine]),
            entity("Theirs", [attribute("title"), *theirs])]


def plain_entities(extra=False):
    return [
        entity("Person", [
            attribute("name"), attribute("age", "Integer 32"), attribute("born", "Date"),
            attribute("score", "Double"), *([attribute("note")] if extra else []),
            relationship("team", "Team", "members"), relationship("tags", "Tag", "people", many=True),
        ]),
        entity("Tag", [attribute("word"), relationship("people", "Person", "tags", many=True)]),
        entity("Team", [attribute("title"), relationship("members", "Person", "team", many=True)]),
    ]


def external_entities(extra=False):
    picture = attribute("data", "Binary", 'allowsExternalBinaryDataStorage="YES"')
    return [entity("Picture", [attribute("title"), picture] + ([attribute("note")] if extra else []))]


# MARK: Running


class Runner:
    """Runs Strata in a folder, and tells what it took."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments, statuses=(0,)):
        """CPU seconds and bytes of peak memory."""
        process = subprocess.Popen(
            [str(self.program), *map(str, arguments)], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        if process.returncode not in statuses:
            raise Failure(
                f"{' '.join(map(str, arguments))} ended with status {process.returncode}: "
                + errors.decode(errors="replace")[:400]
            )
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def exponent(sizes, values):
    """The slope of a line through the logarithms."""
    xs, ys = [math.log(size) for size in sizes], [math.log(max(value, 1e-9)) for value in values]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


# MARK: What is measured

V1, V2, BUNDLE, STORE = "X.xcdatamodeld/V1", "X.xcdatamodeld/V2", "X.xcdatamodeld", "s.sqlite"
MIGRATE = ("migrate", STORE, "--to", V2)
# What is asked of two versions, and of a store of the first of them.
ON_MODELS = {
    "show": ("show", V1), "hash": ("hash", V2), "diff": ("diff", V1, V2), "infer": ("infer", V1, V2),
}
ON_MAPPINGS = {
    "infer --write": ("infer", V1, V2, "--write", "M.mapping"),
    "mapping show": ("mapping", "show", "M.mapping", "--from", V1, "--to", V2),
    "mapping lint": ("mapping", "lint", "M.mapping", "--from", V1, "--to", V2),
    "mapping diff": ("mapping", "diff", "M.mapping", "M.mapping"),
}
ON_STORES = {
    "compare": ("compare", STORE, V1), "plan": ("plan", STORE, "--to", V2),
    "validate": ("validate", STORE), "doctor": ("doctor", STORE),
    "compare --rows": ("compare", STORE, STORE, "--rows"),
    "migrate --dry-run, in place": (*MIGRATE, "--dry-run"),
}
BY_PASSES = {
    "migrate --output, by passes":
        (*MIGRATE, "--strategy", "custom", "--mapping", "M.mapping", "--output", "o.sqlite"),
}


def models(entities):
    """Makes two versions, of which the second one has more."""
    def make(runner, size):
        write_bundle(
            Path(runner.folder, BUNDLE), {"V1": entities(size), "V2": entities(size, extra=True)})
    return make


def with_store(entities, rows="0"):
    def make(runner, size):
        models(entities)(runner, size)
        return {"create": ("create", STORE, "--model", V1, "--rows", rows)}
    return make


def with_rows(entities):
    """A store with as many objects of each entity as the size says."""
    def make(runner, size):
        models(lambda _, extra=False: entities(extra))(runner, size)
        return {"create --rows": ("create", STORE, "--model", V1, "--rows", str(size))}
    return make


def versions(runner, size):
    """Versions of thirty entities, each with an attribute more than the one before."""
    write_bundle(Path(runner.folder, BUNDLE), {
        f"V{number}": [
            entity(f"Thing{place:02}", [
                attribute(f"value{letter}{place:02}") for letter in "abcdefgh"
            ] + ([attribute(f"new{number:04}")] if place == number % 30 else []))
            for place in range(30)
        ] for number in range(1, size + 1)
    })


def linked(runner, size):
    """A thousand people, each with as many tags as the size says."""
    models(lambda _, extra=False: plain_entities(extra))(runner, size)
    runner.run("create", STORE, "--model", V1, "--rows", "1000")
    store = sqlite3.connect(Path(runner.folder, STORE))
    [table] = [name for name, in store.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")]
    columns = [row[1] for row in store.execute(f"PRAGMA table_info({table})")]
    store.execute(f"DELETE FROM {table}")
    store.executemany(
        f"INSERT INTO {table} ({columns[0]}, {columns[1]}) VALUES (?, ?)",
        ((one, (one + other) % 1000 + 1) for one in range(1, 1001) for other in range(size)))
    store.commit()
    store.close()


def with_history(runner, size):
    """Rows of persistent history, as iOS 13 lays them out."""
    models(lambda _, extra=False: plain_entities(extra))(runner, size)
    runner.run("create", STORE, "--model", V1, "--rows", "100")
    store = sqlite3.connect(Path(runner.folder, STORE))
    store.executescript("""
        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER,
          ZCOLUMNS BLOB );
        CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER,
          ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR,
          ZPROCESSID VARCHAR, ZQUERYGEN BLOB );
        CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
          ZNAME VARCHAR );
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 0), (16002, 'TRANSACTION', 0, 0),
          (16003, 'TRANSACTIONSTRING', 0, 0);
    """)
    store.executemany(
        "INSERT INTO ACHANGE VALUES (?, 16001, 1, 1, ?, ?, ?, NULL)",
        ((key, key % 3 + 1, key % 100 + 1, key // 10 + 1) for key in range(1, size + 1)))
    store.executemany(
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP) VALUES (?, 16002, 1, 6e8)",
        ((key,) for key in range(1, size // 10 + 2)))
    store.commit()
    store.close()


def with_files(runner, size):
    """Pictures, each in a file of its own."""
    models(lambda _, extra=False: external_entities(extra))(runner, size)
    runner.run("create", STORE, "--model", V1, "--rows", str(size))
    folder = Path(runner.folder, ".s_SUPPORT/_EXTERNAL_DATA")
    folder.mkdir(parents=True, exist_ok=True)
    store = sqlite3.connect(Path(runner.folder, STORE))
    for key in range(1, size + 1):
        name = f"00000000-0000-4000-8000-{key:012X}"
        Path(folder, name).write_bytes(key.to_bytes(4, "big") * 512)
        store.execute("UPDATE ZPICTURE SET ZDATA = ? WHERE Z_PK = ?", (
            b"\x02" + name.encode() + b"\0", key))
    store.commit()
    store.close()


ROWS = {
    "rows": ("rows", STORE, "Person"), "count --where": (
        "count", STORE, "Person", "--where", "age > 30 AND name BEGINSWITH 'A'"),
}
DEBUG = {"debug, to the end": ("run", "debug.strata")}


def with_debugging(make):
    def both(runner, size):
        first = make(runner, size)
        Path(runner.folder, "debug.strata").write_text(
            f"debug {STORE} --to {V2} --strategy custom --mapping M.mapping\nfinish\nabandon\n")
        return first
    return both


# By name: n, what makes the inputs, and the commands. A mapping model has at most 1,000 entity mappings, a table
# at most 2,000 columns.
DIMENSIONS = {
    "entities": (1250, with_store(flat_entities), ON_MODELS | ON_STORES),
    "renamed entities": (1250, models(renamed_entities), ON_MODELS),
    "subentities of one entity": (1250, with_store(family), ON_MODELS | ON_STORES),
    "subentities with an attribute": (225, with_store(wide_family), ON_MODELS | ON_STORES),
    "entity mappings": (120, with_store(flat_entities), ON_MAPPINGS | BY_PASSES),
    "attributes of an entity": (200, with_store(wide_entity, "100"), ON_MODELS | ON_MAPPINGS | ON_STORES | BY_PASSES),
    "attributes of 20 hierarchies, inherited ones counted": (4000, with_store(chains), ON_MODELS | ON_MAPPINGS | ON_STORES | BY_PASSES),
    "relationships of two entities": (150, with_store(related_entities), ON_MODELS | ON_MAPPINGS | ON_STORES | BY_PASSES),
    "uniqueness constraints of an entity": (200, with_store(constrained_entity), {
        "hash --explain": ("hash", V1, "--explain"), **ON_MODELS, **ON_STORES}),
    "derived attributes of an entity": (60, with_store(derived_attributes, "5"), {
        **ON_MODELS, **ON_MAPPINGS, **ON_STORES, **BY_PASSES}),
    "versions of a bundle": (50, versions, {
        "load": ("load", BUNDLE), "hash --all": ("hash", BUNDLE, "--all"),
        "plan": ("plan", f"{BUNDLE}/V1", "--to", f"{BUNDLE}@current"),
    }),
    "rows": (20_000, with_debugging(with_rows(plain_entities)), {
        "infer --write": ON_MAPPINGS["infer --write"], **ROWS, **ON_STORES, **BY_PASSES, **DEBUG,
    }),
    "links of each object": (50, linked, {
        "infer --write": ON_MAPPINGS["infer --write"], **ON_STORES, **BY_PASSES}),
    "rows of the history": (50_000, with_history, {
        name: ON_STORES[name] for name in ("doctor", "migrate --dry-run, in place")}),
    "external data files": (500, with_files, {
        "infer --write": ON_MAPPINGS["infer --write"], **ON_STORES, **BY_PASSES}),
}


# What grows faster inside SQLite 3.40: it keeps the names of tables in 64 lists, and weighs every index of a table
# for each query of it.
SQLITE = {
    "entities": {"create"},
    "uniqueness constraints of an entity": {"create", "validate"},
    "relationships of two entities": {
        "create", "validate", "compare --rows", "migrate --dry-run, in place", "migrate --output, by passes"},
}


def measure(program, names=()):
    """Prints the table. Returns the limits missed."""
    missed = []
    print("| dimension, from n to 8n | command | seconds at n, 2n, 4n, 8n | exponent | MB at n, 8n | exponent |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for name, (first, make, commands) in DIMENSIONS.items():
        if names and name not in names:
            continue
        sizes = [first * step for step in STEPS]
        found = {}
        for size in sizes:
            with tempfile.TemporaryDirectory() as folder:
                runner = Runner(program, folder)
                more = make(runner, size) or {}
                for title, arguments in (more | commands).items():
                    found.setdefault(title, []).append(runner.run(*arguments, statuses=(0, 1)))
        for title, taken in found.items():
            times, memory = zip(*taken)
            growth, more = exponent(sizes, times), exponent(sizes, memory)
            print(
                f"| {name}, {sizes[0]:,} to {sizes[-1]:,} | `{title}` | "
                + ", ".join(f"{time:.2f}" for time in times)
                + f" | {growth:.2f} | {memory[0] >> 20}, {memory[-1] >> 20} | {more:.2f} |", flush=True)
            for what, slope in (("CPU time", growth), ("memory", more)):
                if slope > LIMIT and title not in SQLITE.get(name, ()):
                    missed.append(f"{what} of {title} grows with {name} to the power of {slope:.2f}")
    return missed
