"""Migrations that are killed, lose power, run into a full disk or fail at one call: no store is lost.

A shim that is preloaded into the program counts every call that changes files in the store's folder, and
lets one of them go wrong. Where the power goes, what no file was synced with is taken away too; names in
folders are taken to be kept in their order. Afterwards Python's own SQLite must find a whole store there, as it was before
or as it is after the migration, row by row and with every file of binary data; `doctor --fix` must be
content, and the store the same.
"""

import hashlib
import multiprocessing
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

SHIM = Path(__file__).resolve().parent / "fault_shim.c"
MODES = ["kill", "torn", "power", "eio", "full"]
STORE = "t.sqlite"
PATIENCE = 60
# Tables whose rows are the same before and after a run only by chance: what the store says of itself.
UNCOMPARED = {"Z_METADATA", "Z_MODELCACHE", "sqlite_sequence"}


@dataclass
class Scenario:
    """A store and what is done to it."""

    name: str
    arguments: list[str]
    # What is laid out for it: command lines of strata, then what Python does in the folder.
    lines: list[str]
    prepare: object = None
    # Ways to the states between, by the arguments of the command that stops there.
    between: list[list[str]] = field(default_factory=list)
    output: str = STORE


def dead_wal(folder):
    """The last changes stand in a WAL whose writer was killed."""
    crashed(folder, ["PRAGMA journal_mode = WAL", "UPDATE ZTOPIC SET ZPRESENTERNAME = ZPRESENTERNAME || ' W'"])


def hot_journal(folder):
    """A writer was killed within a transaction."""
    crashed(
        folder,
        [
            "PRAGMA journal_mode = DELETE",
            "PRAGMA cache_size = 1",
            "PRAGMA cache_spill = 1",
            "BEGIN",
            "UPDATE ZTOPIC SET ZPRESENTERNAME = 'Half' || hex(zeroblob(3000))",
        ],
    )


def crashed(folder, statements):
    live = folder / "live"
    live.mkdir()
    shutil.move(folder / STORE, live / STORE)
    writer = sqlite3.connect(live / STORE, isolation_level=None)
    for statement in statements:
        writer.execute(statement).fetchall()
    for end in ["", "-wal", "-journal"]:
        if (live / f"{STORE}{end}").exists():
            shutil.copy(live / f"{STORE}{end}", folder / f"{STORE}{end}")
    writer.close()
    shutil.rmtree(live)


def rollback_mode(folder):
    store = sqlite3.connect(folder / STORE)
    store.execute("PRAGMA journal_mode = DELETE").fetchall()
    store.close()


TOPICS = ["create t.sqlite --model sample:Topics/{} --rows 40 --seed 5"]
PICTURE = "picture attributeType=Binary allowsExternalBinaryDataStorage=YES optional=YES"
# Pictures that stand in files, and a mapping model that somebody has written.
PICTURES = [
    "load sample:Topics",
    f"try Model1.TopicList add attribute {PICTURE}",
    "write try:Model1 P.xcdatamodeld/P1",
    f"try Model2.TopicList add attribute {PICTURE}",
    "write try:Model2 P.xcdatamodeld/P2",
    "infer P.xcdatamodeld/P1 P.xcdatamodeld/P2 --write P1ToP2.mapping",
    "create t.sqlite --model P.xcdatamodeld/P1 --rows 12 --seed 5",
    "insert t.sqlite TopicList title=One picture=@one.bin",
    "insert t.sqlite TopicList title=Two picture=@two.bin",
]
BY_MAPPING = ["migrate", STORE, "--to", "P.xcdatamodeld/P2", "--mapping", "P1ToP2.mapping"]


def topics(version):
    return [line.format(version) for line in TOPICS]


SCENARIOS = [
    Scenario("in place", ["migrate", STORE, "--to", "sample:Topics/Model3"], topics("Model2")),
    Scenario(
        "in place, rollback mode",
        ["migrate", STORE, "--to", "sample:Topics/Model5", "--strategy", "lightweight"],
        topics("Model3"),
        rollback_mode,
    ),
    Scenario("in place, dead WAL", ["migrate", STORE, "--to", "sample:Topics/Model3"], topics("Model2"), dead_wal),
    Scenario("passes, replaced", ["migrate", STORE, "--to", "sample:Topics/Model2"], topics("Model1")),
    Scenario("passes, dead WAL", ["migrate", STORE, "--to", "sample:Topics/Model2"], topics("Model1"), dead_wal),
    Scenario("passes, hot journal", ["migrate", STORE, "--to", "sample:Topics/Model2"], topics("Model1"), hot_journal),
    Scenario("passes, pictures", BY_MAPPING, PICTURES),
    Scenario("passes, nothing kept", [*BY_MAPPING, "--discard-old"], PICTURES),
    Scenario(
        "hybrid, four hops",
        ["migrate", STORE, "--to", "sample:Topics/Model5", "--strategy", "hybrid"],
        topics("Model1"),
    ),
    Scenario(
        "staged",
        ["migrate", STORE, "--to", "sample:Topics/Model4", "--stages", "sample:Topics"],
        topics("Model1"),
        between=[["migrate", STORE, "--to", "sample:Topics/Model3", "--stages", "sample:Topics"]],
    ),
    Scenario(
        "new store beside",
        ["migrate", STORE, "--to", "sample:Topics/Model2", "--output", "new.sqlite"],
        topics("Model1"),
        output="new.sqlite",
    ),
]


# What a store holds


def contents(folder, name=STORE):
    """A digest of every row of a store and of the files that they name; None where there is no store."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as copy:
        copy = Path(copy) / "copy"
        shutil.copytree(folder, copy, symlinks=True)
        if not (copy / name).exists():
            return None
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
                for row in sorted(map(repr, store.execute(f'SELECT {listed} FROM "{table}"'))):
                    digest.update(row.encode())
                for file in files_named(store, table, columns):
                    path = copy / f".{Path(name).stem}_SUPPORT/_EXTERNAL_DATA/{file}"
                    digest.update(path.read_bytes() if path.exists() else b"missing")
            return digest.hexdigest()
        except sqlite3.Error as error:
            return f"unreadable: {error}"
        finally:
            store.close()


def files_named(store, table, columns):
    """The files of binary data that a table names; what stands behind a UUID goes by its place."""
    for column in columns:
        rows = store.execute(
            f'SELECT "{column}" FROM "{table}" WHERE typeof("{column}") = \'blob\' '
            f'AND length("{column}") = 38 AND hex(substr("{column}", 1, 1)) = \'02\' ORDER BY rowid'
        )
        for (value,) in rows.fetchall():
            yield value[1:37].decode()


# One trial


class Laboratory:
    """Stores to migrate, and what becomes of them."""

    def __init__(self, program, folder):
        self.program = str(program)
        self.folder = Path(folder)
        self.shim = self.folder / "shim.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        subprocess.run(
            [compiler, "-std=gnu11", "-shared", "-fPIC", "-O1", "-w", "-o", self.shim, SHIM, "-ldl"], check=True
        )
        self.states = {}
        # What the files of the last folder held before the run, by their inodes.
        self.made = {}

    def strata(self, arguments, folder, **faults):
        environment = {"TMPDIR": str(self.folder), "SWIFT_BACKTRACE": "enable=no", "LANG": "C.UTF-8", "HOME": "/nowhere"}
        if faults:
            environment |= {"LD_PRELOAD": str(self.shim), "FAULT_FOLDER": str(folder)}
            environment |= {f"FAULT_{key.upper()}": str(value) for key, value in faults.items()}
        return subprocess.run(
            [self.program, *arguments], cwd=folder, env=environment, capture_output=True, timeout=PATIENCE
        )

    def lay_out(self, scenario):
        """The folder before the migration, made once; the states that may be found, and the number of calls."""
        base = self.folder / scenario.name.replace(" ", "-").replace(",", "")
        base.mkdir()
        for number, name in enumerate(["one.bin", "two.bin"]):
            (base / name).write_bytes(bytes((7 * place + number) % 251 for place in range(150_000)))
        script = "\n".join(scenario.lines) + "\n"
        (base / "make.strata").write_text(script)
        made = self.strata(["run", "make.strata"], base)
        assert made.returncode <= 1, made.stdout + made.stderr
        if scenario.prepare:
            scenario.prepare(base)
        old = contents(base)
        between = []
        for arguments in scenario.between:
            between.append(contents(self.after(base, arguments, "between")[0]))
        after, ended = self.after(base, scenario.arguments, "after", at=0, count=self.folder / "count")
        assert ended.returncode == 0, ended.stdout + ended.stderr
        new = contents(after, scenario.output)
        states = [old, new, *between]
        assert all(state and ":" not in state for state in states), f"{scenario.name}: {states}"
        assert len(set(states)) == len(states), f"{scenario.name}: nothing to see"
        calls = int((self.folder / "count").read_text())
        self.states[scenario.name] = (base, old, new, between)
        return calls

    def after(self, base, arguments, name, **faults):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base, folder, symlinks=True)
        self.made = {
            path.stat().st_ino: path.read_bytes() for path in folder.rglob("*") if path.is_file() and not path.is_symlink()
        }
        return folder, self.strata(arguments, folder, **faults)

    def try_out(self, scenario, mode, number, place):
        """What is wrong after a fault; nothing where all is well."""
        base, old, new, between = self.states[scenario.name]
        synced = self.folder / f"{place}-synced"
        shutil.rmtree(synced, ignore_errors=True)
        synced.mkdir()
        folder, ended = self.after(base, scenario.arguments, place, at=number, mode=mode, synced=synced)
        if mode == "power":
            lose_unsynced(folder, self.made, synced)
        allowed = {old, new, *between} if scenario.output == STORE else {old}
        found = contents(folder)
        if found not in allowed:
            return f"the store is {found}"
        if ended.returncode == 0 and contents(folder, scenario.output) != new:
            return "it was told done, and is not"
        if ended.returncode == 2 and contents(folder, scenario.output) == new:
            return f"it was told as failed, and is done: {ended.stderr.decode(errors='replace')[:300]}"
        if ended.returncode not in (0, 2, -9):
            return f"it ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[:300]}"
        if scenario.output != STORE and contents(folder, scenario.output) not in (None, new):
            return "half a new store"
        mended = self.strata(["doctor", ".", "--fix"], folder)
        well = self.strata(["doctor", "."], folder)
        if well.returncode != 0:
            return f"doctor is not content: {(mended.stdout + well.stdout + well.stderr).decode()[:600]}"
        if contents(folder) != found:
            return "doctor has changed the store"
        left = [path.name for path in folder.iterdir() if path.name.startswith(f".{STORE}.")]
        return f"left: {left}" if left else None


def lose_unsynced(folder, made, synced):
    """Gives every file what it held when it was synced last."""
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            inode = path.stat().st_ino
            kept = synced / str(inode)
            path.write_bytes(kept.read_bytes() if kept.exists() else made.get(inode, b""))


def start(laboratory):
    global bench
    bench = laboratory


def work(point):
    name, mode, number = point
    scenario = next(scenario for scenario in SCENARIOS if scenario.name == name)
    try:
        return point, bench.try_out(scenario, mode, number, f"trial-{os.getpid()}")
    except Exception as error:  # noqa: BLE001
        return point, f"{type(error).__name__}: {error}"


def torture(program, count, seed, jobs, only=None):
    """Tries points out: all of them where there are no more than `count`, else so many chosen by the seed.

    Prints a table; returns the number of findings.
    """
    with tempfile.TemporaryDirectory(prefix="strata-faults-") as folder:
        return torture_in(folder, program, count, seed, jobs, only)


def torture_in(folder, program, count, seed, jobs, only):
    laboratory = Laboratory(program, folder)
    points = []
    calls = {}
    for scenario in SCENARIOS:
        calls[scenario.name] = laboratory.lay_out(scenario)
        points += [(scenario.name, mode, number + 1) for mode in MODES for number in range(calls[scenario.name])]
    if only:
        points = [only]
    elif count < len(points):
        points = random.Random(seed).sample(points, count)
    with multiprocessing.get_context("fork").Pool(jobs, start, (laboratory,)) as pool:
        results = list(pool.imap_unordered(work, points, chunksize=4))
    print("| migration | calls | points tried | " + " | ".join(MODES) + " | findings |")
    print("| --- | ---: | ---: |" + " ---: |" * len(MODES) + " ---: |")
    total = Counter()
    for scenario in SCENARIOS:
        own = [(mode, finding) for (name, mode, _), finding in results if name == scenario.name]
        modes = Counter(mode for mode, _ in own)
        found = sum(finding is not None for _, finding in own)
        total.update(modes)
        total["findings"] += found
        cells = [calls[scenario.name], len(own), *(modes[mode] for mode in MODES), found]
        print(f"| {scenario.name} | " + " | ".join(map(str, cells)) + " |")
    cells = [sum(calls.values()), len(results), *(total[mode] for mode in MODES), total["findings"]]
    print("| **all** | " + " | ".join(map(str, cells)) + " |")
    for point, finding in sorted(results):
        if finding:
            print(f"{point}: {finding}", file=sys.stderr)
    return total["findings"]

