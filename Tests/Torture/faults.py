"""Migrations, and whatever else writes, that are killed, lose power, run into a full disk or fail at one call.

A shim that is preloaded into the program counts every call that changes files in a folder, and lets one of them go
wrong. Where the power goes, no call need go wrong: the shim's log of one run tells what the disk may hold at each.
Afterwards Python's own SQLite must find a whole store there, as it was before or as it is after the run, row by row and
with every file of binary data; `doctor --fix` must be content, and the store the same. Once the program has said that
it is done, the new store must be there.
"""

import hashlib
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import disk_log
import store_contents
from fault_scenarios import SCENARIOS

SHIM = Path(__file__).resolve().parent / "fault_shim.c"
PATIENCE = 60
# What goes wrong with the program itself.
FAILURES = ["kill", "torn", "eio", "full"]
# Another program opens the store, in the moments between the last look for one and the replacement.
OPENED = "opened"
# The second name of the old store, by which who has opened it is found.
SECOND_NAME = b"strata-old"
# What is left where the power goes, of what was not synced. power: all names, in their order, and no bytes; pages: all
# names, and some bytes; names: nothing at all; order: some names and some bytes, whichever.
LOSSES = {
    "power": (lambda choices: True, lambda choices: False),
    "pages": (lambda choices: True, lambda choices: choices.random() < 0.5),
    "names": (lambda choices: False, lambda choices: False),
    "order": (lambda choices: choices.random() < 0.5, lambda choices: choices.random() < 0.5),
}
# How often it is drawn what is left in any order.
DRAWS = 4
MODES = [*FAILURES, *LOSSES, OPENED]


@dataclass
class Layout:
    """A scenario that is laid out: the folder, what may be found in it, and the log of a run."""

    base: Path
    old: object
    new: object
    between: list
    calls: int
    # The folder in which the log was kept, as it was before the run.
    disk: disk_log.Disk
    log: Path
    # What the old store was set aside as, by name.
    kept: dict

    def states(self):
        return [self.old, self.new, *self.between]

    def moments(self):
        """The calls from the one that gives an old store its second name to the one that gives its place to a new one."""
        found, is_between = [], False
        for record in disk_log.records(self.log):
            if record.change == disk_log.Change.LINKS and record.second == SECOND_NAME:
                is_between = True
            elif is_between:
                found.append(record.call)
                is_between = record.change != disk_log.Change.MOVES
        return sorted(set(found))


class Laboratory:
    """Folders in which something is done, and what becomes of them."""

    def __init__(self, program, folder):
        self.program = str(program)
        self.folder = Path(folder)
        self.shim = self.folder / "shim.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        subprocess.run(
            [compiler, "-std=gnu11", "-shared", "-fPIC", "-O1", "-w", "-o", self.shim, SHIM, "-ldl"], check=True
        )
        self.layouts = {}
        # What is wrong with folders that were looked at before, by what they hold.
        self.known = {}

    def environment(self, folder, faults):
        environment = {"TMPDIR": str(self.folder), "SWIFT_BACKTRACE": "enable=no", "LANG": "C.UTF-8", "HOME": "/nowhere"}
        if faults:
            environment |= {"LD_PRELOAD": str(self.shim), "FAULT_FOLDER": str(folder)}
            environment |= {f"FAULT_{key.upper()}": str(value) for key, value in faults.items()}
        return environment

    def strata(self, arguments, folder, **faults):
        environment = self.environment(folder, faults)
        return subprocess.run(
            [self.program, *arguments], cwd=folder, env=environment, capture_output=True, timeout=PATIENCE
        )

    def lay_out(self, scenario):
        """The folder before the run, made once, and what a run does to it."""
        base = self.folder / scenario.name.replace(" ", "-").replace(",", "")
        base.mkdir()
        for number, name in enumerate(["one.bin", "two.bin"]):
            (base / name).write_bytes(bytes((7 * place + number) % 251 for place in range(150_000)))
        for name, text in scenario.files.items():
            (base / name).write_text(text)
        if scenario.lines:
            (base / "make.strata").write_text("\n".join(scenario.lines) + "\n")
            setup = self.strata(["run", "make.strata"], base)
            assert setup.returncode <= 1, f"{scenario.name}: {(setup.stdout + setup.stderr).decode()}"
        if scenario.prepare:
            scenario.prepare(base)
        old = scenario.look(base)
        between = [scenario.look(self.after(base, arguments, "between")[0]) for arguments in scenario.between]
        log = base.with_suffix(".log")
        folder = self.copied(base, "after")
        disk = disk_log.Disk(folder)
        ended = self.strata(scenario.arguments, folder, at=0, count=self.folder / "count", log=log)
        assert ended.returncode <= 1, f"{scenario.name}: {(ended.stdout + ended.stderr).decode()}"
        asides = (path for path in folder.glob("*.sqlite.before-*") if path.is_file() and not (base / path.name).exists())
        kept = {path.name: _aside(path) for path in asides}
        layout = Layout(
            base, old, scenario.look(folder), between, int((self.folder / "count").read_text()), disk, log, kept
        )
        states = layout.states()
        assert all("ed: " not in str(state) for state in states), f"{scenario.name}: {states}"
        assert len(set(states)) == len(states), f"{scenario.name}: nothing to see in {states}"
        self.layouts[scenario.name] = layout
        self.check_log(scenario, folder)
        return layout.calls

    def check_log(self, scenario, folder):
        """The log must lead to what the run has left, else it has missed something."""
        made, real = (self.folder / name for name in ("replayed", "real"))
        for path in (made, real):
            shutil.rmtree(path, ignore_errors=True)
        self.disk_before(scenario, None).now().write(made)
        found = [
            {
                str(path.relative_to(top)): path.read_bytes() if path.is_file() else None
                for path in top.rglob("*")
                # SQLite writes its index of a WAL through memory, and makes it anew.
                if not path.name.endswith("-shm")
            }
            for top in (made, folder)
        ]
        differing = sorted(name for name in found[0].keys() | found[1].keys() if found[0].get(name) != found[1].get(name))
        assert found[0] == found[1], f"{scenario.name}: the log misses what became of {differing}"

    def copied(self, base, name):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base, folder, symlinks=True)
        return folder

    def after(self, base, arguments, name, **faults):
        folder = self.copied(base, name)
        return folder, self.strata(arguments, folder, **faults)

    # One trial

    def try_out(self, scenario, mode, number, place):
        """What is wrong after a fault; nothing where all is well."""
        layout = self.layouts[scenario.name]
        if mode in LOSSES:
            draws = range(DRAWS if mode == "order" else 1)
            found = (self.lose_power(scenario, mode, number, place, draw) for draw in draws)
            return next(filter(None, found), None)
        if mode == OPENED:
            return self.open_meanwhile(scenario, number, self.copied(layout.base, place))
        folder, ended = self.after(layout.base, scenario.arguments, place, at=number, mode=mode)
        if ended.returncode not in (0, 1, 2, -9):
            return f"it ended with {ended.returncode}: {ended.stderr.decode(errors='replace')[:300]}"
        if ended.returncode == 0 and scenario.look(folder) != layout.new:
            return "it was told done, and is not"
        if ended.returncode == 2 and scenario.look(folder) == layout.new != layout.old:
            # A stage's script that has run may still stand as one that has to.
            if b"[store.pendingStage]" not in self.strata(["doctor", "."], folder).stdout:
                return f"it was told as failed, and is done: {ended.stderr.decode(errors='replace')[:300]}"
        if mode == "full" and ended.returncode == 2 and scenario.look(folder) == layout.old:
            copies = [path.name for path in folder.rglob("*.before-*") if not (layout.base / path.name).exists()]
            if copies:
                return f"it failed and left {copies}"
        return self.examine(scenario, folder)

    def open_meanwhile(self, scenario, number, folder):
        """What is wrong after another program has opened every store before a call."""
        environment = self.environment(folder, {"at": number, "mode": OPENED})
        command = [self.program, *scenario.arguments]
        with tempfile.TemporaryFile() as said:
            program = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)
            _, status = os.waitpid(program.pid, os.WUNTRACED)
            assert os.WIFSTOPPED(status), f"it ended before the call, with {status}"
            opened = {path: os.open(path, os.O_RDONLY) for path in folder.iterdir() if _is_database(path)}
            try:
                os.kill(program.pid, signal.SIGCONT)
                program.wait(timeout=PATIENCE)
                left = [path.name for path, file in opened.items() if not _is_same(path, file)]
            finally:
                program.kill()
                for file in opened.values():
                    os.close(file)
            said.seek(0)
            output = said.read()
        if left and b"[store.openElsewhere]" not in output:
            return f"a program goes on with what was {left}, and nobody is told: {output.decode()[:300]}"
        if program.returncode == 2 and scenario.look(folder) != self.layouts[scenario.name].old:
            return f"it was told as failed, and is done: {output.decode()[:300]}"
        return self.examine(scenario, folder)

    def disk_before(self, scenario, number):
        """The disk at the moment before a call; with `None`, at the end."""
        layout = self.layouts[scenario.name]
        disk = disk_log.copied(layout.disk)
        for record in disk_log.records(layout.log):
            if number is not None and record.call >= number:
                break
            disk.apply(record)
        return disk

    def lose_power(self, scenario, mode, number, place, draw):
        choices = random.Random(f"{scenario.name} {mode} {number} {draw}")
        keeps_names, keeps_bytes = LOSSES[mode]
        tree = self.disk_before(scenario, number).after_power(lambda: keeps_names(choices), lambda: keeps_bytes(choices))
        is_done = number > self.layouts[scenario.name].calls
        digest = hashlib.sha256(repr((scenario.name, is_done)).encode())
        for entry in tree.listing():
            digest.update(repr(entry).encode())
        if digest.digest() not in self.known:
            folder = self.folder / place
            shutil.rmtree(folder, ignore_errors=True)
            tree.write(folder)
            found = "it was told done, and is not" if is_done and scenario.look(folder) != self.layouts[scenario.name].new else None
            self.known[digest.digest()] = found or self.examine(scenario, folder, mode != "order")
        return self.known[digest.digest()]

    def examine(self, scenario, folder, is_orderly=True):
        """What is wrong with a folder after a fault."""
        layout = self.layouts[scenario.name]
        found = scenario.look(folder)
        if found not in layout.states():
            return f"there is {found}"
        # Where the model of the old store could not be looked up, it is kept under another name.
        asides = {_aside(path) for path in folder.glob("*.sqlite.before-*") if path.is_file()}
        lost = [name for name, digest in layout.kept.items() if found == layout.new and digest not in asides]
        if lost:
            return f"the new store stands, and the old one is gone: {lost}"
        fixed = self.strata(["doctor", ".", "--fix"], folder)
        well = self.strata(["doctor", "."], folder)
        if b"[store.pendingStage]" in well.stdout:
            # The same command goes on where it was interrupted. A script that had just ended is run again: what
            # scripts do has no end that a store could tell.
            again = self.strata(scenario.arguments, folder)
            well = self.strata(["doctor", "."], folder)
            is_whole = again.returncode == 0 and "ed: " not in str(scenario.look(folder))
            found = scenario.look(folder) if is_whole else None
            if not is_whole:
                return f"it does not go on: {(again.stdout + again.stderr).decode()[:600]}"
        if well.returncode != 0 and not _is_without_store(folder, well):
            return f"doctor is not content: {(fixed.stdout + well.stdout + well.stderr).decode()[:600]}"
        if scenario.look(folder) != found:
            return "doctor has changed what was there"
        left = [path.name for path in folder.iterdir() if path.name.startswith((".t.", ".new.", ".all."))]
        # What is being written of an XML store is a file, which does not say whose it is.
        left = [name for name in left if not name.endswith("_SUPPORT") and ".xml." not in name]
        # Where names were lost in any order, a folder need not say any more whose it is.
        return f"left: {left}" if left and is_orderly else None


def _aside(path):
    return store_contents.store(path.name)(path.parent)


def _is_without_store(folder, ended):
    """Whether `doctor` refused a folder because it holds no store, and it holds none."""
    return b"[store.notFound]" in ended.stderr and not any(".sqlite" in path.name or ".xml" in path.name for path in folder.iterdir())


def _is_database(path):
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(15) == b"SQLite format 3"


def _is_same(path, file):
    return path.exists() and os.path.samestat(os.fstat(file), path.stat())


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


def torture(program, count, seed, jobs, only=None, first=0):
    """Tries points out: `count` of them in the order that the seed gives them, from the `first` on.

    Prints a table; returns the number of findings.
    """
    with tempfile.TemporaryDirectory(prefix="strata-faults-") as folder:
        return torture_in(folder, program, count, seed, jobs, only, first)


def points_of(scenario, layout):
    """Each call, and the moment behind the last one, when all was told done."""
    for mode in MODES:
        last = layout.calls + 1 if mode in LOSSES else layout.calls
        numbers = layout.moments() if mode == OPENED else range(1, last + 1)
        yield from ((scenario.name, mode, number) for number in numbers)


def in_turns(points, choices):
    """The points in any order, but of each mode in turn: those of one that has few are among the first."""
    modes = [[point for point in points if point[1] == mode] for mode in MODES]
    turns = zip_longest(*(choices.sample(mode, len(mode)) for mode in modes))
    return [point for turn in turns for point in turn if point]


def torture_in(folder, program, count, seed, jobs, only, first):
    laboratory = Laboratory(program, folder)
    scenarios = [scenario for scenario in SCENARIOS if only is None or scenario.name == only[0]]
    calls = {scenario.name: laboratory.lay_out(scenario) for scenario in scenarios}
    points = [point for scenario in scenarios for point in points_of(scenario, laboratory.layouts[scenario.name])]
    if only:
        points = [point for point in points if only[1:] in (point[1:], (point[1], 0), ("all", 0))]
        if not points:
            sys.exit(f"no point is named {' '.join(map(str, only))}: the names are those of the table, the modes {', '.join(MODES)} and all")
    else:
        points = in_turns(points, random.Random(seed))[first : first + count]
    with multiprocessing.get_context("fork").Pool(jobs, start, (laboratory,)) as pool:
        results = list(pool.imap_unordered(work, points, chunksize=8))
    print_table(scenarios, calls, results)
    found = sorted((point, finding) for point, finding in results if finding)
    for point, finding in found:
        print(f"{point}: {finding}", file=sys.stderr)
    return len(found)


def print_table(scenarios, calls, results):
    print("| what is done | calls | points tried | " + " | ".join(MODES) + " | findings |")
    print("| --- | ---: | ---: |" + " ---: |" * len(MODES) + " ---: |")
    rows = [(scenario.name, calls[scenario.name], {scenario.name}) for scenario in scenarios]
    rows.append(("**all**", sum(calls.values()), set(calls)))
    for title, number, names in rows:
        own = [(mode, finding) for (name, mode, _), finding in results if name in names]
        modes = Counter(mode for mode, _ in own)
        found = sum(finding is not None for _, finding in own)
        cells = [number, len(own), *(modes[mode] for mode in MODES), found]
        print(f"| {title} | " + " | ".join(map(str, cells)) + " |")
