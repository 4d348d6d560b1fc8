"""One mutated store, migrated in place, by passes and step by step: whoever arrives, arrives at the same objects."""

import shutil
import sqlite3
import sys
from pathlib import Path

import method_models

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Oracle"))

from check_migration import validate  # noqa: E402

STORE = "mutant/Store.sqlite"
STEPS = ["step 3", "next", "back 2", "pass", "step 2", "back pass", "continue", "commit"]


def target(number):
    return "Large" if number % 2 else "Small"


def examine(bench, number, start, report):
    """Migrates the mutant on each method; `start` starts the program and gives its exit status."""
    name = target(number)
    model = f"good/Roads.xcdatamodeld/{name}"
    before = _problems(bench.folder / STORE, "First")
    work = bench.folder / "work"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    arrived = []

    def migrate(method, arguments, script=b""):
        store = work / f"{method}.sqlite"
        if method != "passes":
            shutil.copy(bench.folder / STORE, store)
        status = start(arguments, script)
        if status not in (0, 1, 2):
            return  # That has been noted.
        if status != 0 and method != "passes" and store.read_bytes() != (bench.folder / STORE).read_bytes():
            report.findings.append(f"{method}: refused (status {status}), and the store has changed")
        if status != 0 and method == "passes" and store.exists():
            report.findings.append(f"passes: refused (status {status}), and there is a store")
        if status == 0:
            arrived.append(method)
            new = _problems(store, name)
            # What was wrong before may be so afterwards.
            if worse := sorted(set(new) - set(before)):
                report.findings.append(f"{method}: a store with {sorted(set(before))} has become one with {worse}")

    migrate("in-place", ["migrate", "work/in-place.sqlite", "--to", model])
    migrate("passes", ["migrate", STORE, "--to", model, "--output", "work/passes.sqlite"])
    script = "\n".join([f"debug work/steps.sqlite --to {model}", *STEPS])
    migrate("steps", [], script.encode())
    for method in arrived[1:]:
        first, second = f"work/{arrived[0]}.sqlite", f"work/{method}.sqlite"
        if start(["compare", first, second, "--rows"], b"") != 0:
            report.findings.append(f"{arrived[0]} and {method} give different objects")
    if len(arrived) not in (0, 3):
        refused = {"in-place", "passes", "steps"} - set(arrived)
        report.findings.append(f"{', '.join(arrived)} migrates, {', '.join(sorted(refused))} refuses")


def _problems(path, version):
    """What SQLite and the oracle find wrong with a store."""
    try:
        return [rule for rule, _ in validate(str(path), method_models.VERSIONS[version])]
    except sqlite3.Error as error:
        return [str(error)]
