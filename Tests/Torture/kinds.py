"""The kinds of files that Strata reads: a new kind is a row in `KINDS`."""

from collections.abc import Callable
from dataclasses import dataclass

import bundle_mutations
import commands
import mapping_mutations
import methods
import number_mutations
import plist_mutations
import session_mutations
import store_mutations
import text_mutations
import xml_mutations


@dataclass(frozen=True)
class Run:
    """One start of the program."""

    arguments: list[str]
    script: bytes = b""
    # What it prints is JSON and nothing else.
    is_json: bool = False
    # Making a store of thousands of tables takes SQLite its time.
    seconds: float = 1.0
    # A command typed wrong (status 64) is the mutant's own doing.
    may_be_misused: bool = False
    # It goes on with what an earlier run has left in `work`.
    keeps_work: bool = False


@dataclass(frozen=True)
class Kind:
    name: str
    # What the mutant is called below its folder, and the seed below its own.
    file: str
    # Seeds -> list of seeds; a seed maps ends of paths to bytes.
    seeds: Callable
    # (random, a seed, another seed) -> what becomes of the first.
    mutate: Callable
    # (the mutant) -> starts of the program: the first is always made, then one of the others.
    runs: Callable
    # (bench, number, start, report): looks at more than how each start ends, instead of `runs`.
    examine: Callable | None = None
    # How many of it there are for one of another kind.
    share: float = 1.0


def _reading(family, file):
    """Reads as text; asks in JSON; does both the other way round in a replayed session, which goes
    on after what is refused; or writes, each session by itself."""

    def filled(lines):
        return [line.format(m=f"mutant/{file}", s=f"seed/{file}", w=f"work/{file}") for line in lines]

    readers, questions = filled(family.readers), filled(family.questions)
    replayed = [line + " --json" for line in readers] + questions + filled(family.parts)
    # A rehearsal makes a store of the model: SQLite takes its time for hundreds of tables.
    seconds = 8.0 if any(line.startswith("migrate") for line in questions) else 1.0
    typed = "\n".join(line + " --json" for line in questions).encode()
    runs = [
        Run([], "\n".join(readers).encode()),
        Run([], typed, is_json=True, seconds=seconds),
        Run(["replay", "session.strata", "--json"], "\n".join(replayed).encode(), is_json=True, seconds=seconds),
    ]
    runs += [Run([], "\n".join(filled(session)).encode(), seconds=8.0) for session in family.sessions]
    return lambda _: runs


def _replaying(file):
    """Replays a mutated session, and runs it where it cannot write."""
    replay = ["replay", f"mutant/{file}", "--allow-read", "good"]
    report = ["--junit", "report.xml", "--force", "--annotate", "--ignore-wording"]
    # Whatever it says, an opened document changes nothing.
    runs = [
        Run(replay + report), Run(replay + ["--json"], is_json=True),
        Run(["open", f"mutant/{file}"], may_be_misused=True),
        # A copy takes the answers that are given now, or goes on and is saved.
        Run(["replay", f"work/{file}", "--allow-read", "good", "--update", "--all"]),
        Run([], f"open work/{file}\nset color never\nloaded\nforget\nsamples\nsave\n".encode(), may_be_misused=True),
    ]

    def choose(files):
        if not session_mutations.is_harmless(files[""]):
            return runs
        return [Run(["run", f"mutant/{file}"], may_be_misused=True)] + runs

    return choose


def _typing(files):
    """Pipes a mutated script in, and replays it, which goes on after what is refused."""
    script = files[""]
    runs = [Run(["replay", "session.strata", "--json"], script, is_json=True)]
    if session_mutations.is_harmless(script):
        runs.insert(0, Run([], script, may_be_misused=True))
    return runs


def _kind(name, family, file, seeds, mutate):
    return Kind(name, file, seeds, mutate, _reading(commands.FAMILIES[family], file))


def _store(name, seeds, mutate):
    return _kind(name, "store", "Store.sqlite", seeds, mutate)


def _each(end, mutate):
    """A mutation of the file at this end of the path."""
    return lambda rng, files, others: files | {end: mutate(rng, files[end], others[end])}


KINDS = [
    _kind(
        "model", "model", "Model.xcdatamodel", lambda seeds: seeds.models, _each("/contents", xml_mutations.mutate)
    ),
    _kind("bundle", "bundle", "Model.xcdatamodeld", lambda seeds: seeds.bundles, bundle_mutations.mutate),
    _kind(
        "old-model", "model", "Old.xcdatamodel", lambda seeds: seeds.old_models,
        _each("/elements", plist_mutations.mutate),
    ),
    _kind("mom", "model", "Model.mom", lambda seeds: seeds.compiled_models, _each("", plist_mutations.mutate)),
    _kind("momd", "bundle", "Model.momd", lambda seeds: seeds.compiled_bundles, bundle_mutations.mutate),
    _store("store", lambda seeds: seeds.stores, store_mutations.mutate_pages),
    _store("wal", lambda seeds: seeds.stores_with_wal, store_mutations.mutate_wal),
    _store("rows", lambda seeds: seeds.plain_stores, store_mutations.mutate_rows),
    _store("metadata", lambda seeds: seeds.plain_stores, store_mutations.mutate_metadata),
    _store("cache", lambda seeds: seeds.stores_with_cache, store_mutations.mutate_cache),
    _kind(
        "xml-store", "document", "Store.xml", lambda seeds: seeds.xml_stores, _each("", xml_mutations.mutate_any)
    ),
    _kind(
        "binary-store", "document", "Store.dat", lambda seeds: seeds.binary_stores,
        _each("", plist_mutations.mutate),
    ),
    _kind(
        "mapping", "mapping", "M.xcmappingmodel", lambda seeds: seeds.mappings,
        _each("/xcmapping.xml", mapping_mutations.mutate),
    ),
    _kind("cdm", "mapping", "M.cdm", lambda seeds: seeds.compiled_mappings, _each("", plist_mutations.mutate)),
    _kind(
        "mapping-text", "mapping", "M.mapping", lambda seeds: seeds.mapping_texts, _each("", text_mutations.mutate)
    ),
    _kind("policy", "policy", "P.policy", lambda seeds: seeds.policies, _each("", text_mutations.mutate)),
    _kind("lesson", "lesson", "Lesson.md", lambda seeds: seeds.lessons, _each("", text_mutations.mutate)),
    _kind("stages", "stages", "S", lambda seeds: seeds.stages, _each("/S.stages", text_mutations.mutate)),
    Kind(
        "script", "s.strata", lambda seeds: seeds.scripts, session_mutations.mutate, _replaying("s.strata")
    ),
    Kind("notebook", "n.md", lambda seeds: seeds.notebooks, session_mutations.mutate, _replaying("n.md")),
    Kind(
        "typed", "t.txt", lambda seeds: session_mutations.typed_lines(), session_mutations.mutate_typed,
        _typing,
    ),
    Kind(
        "numbers", "Store.sqlite", lambda seeds: seeds.method_stores, number_mutations.mutate, lambda _: [],
        methods.examine, share=0.5,
    ),
]  # fmt: skip

# What is run besides the commands of `commands.FAMILIES`.
OTHER_LINES = [line.decode() for line in session_mutations.LINES + session_mutations.STEPS] + [
    "replay", "open", "run", "set", "forget", "save",
]  # fmt: skip
