"""The kinds of files that Strata reads: a new kind is a row in `KINDS`."""

from collections.abc import Callable
from dataclasses import dataclass

import bundle_mutations
import mapping_mutations
import number_mutations
import plist_mutations
import roads
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


MODEL_READERS = [
    "load mutant/{0} --as m",
    "show m",
    "hash m --properties",
    "hash m --explain",
    "hash m",
    "diff seed/{0} m --all",
    "diff m sample:Topics/Model2",
]
MODEL_QUESTIONS = [
    "compare seed/{0} mutant/{0}",
    "compare good/store.sqlite mutant/{0}",
    "identify good/store.sqlite mutant/{0}",
    "infer seed/{0} mutant/{0}",
    "infer mutant/{0} seed/{0}",
    "plan seed/{0} --to mutant/{0}",
    "migrate good/store.sqlite --to mutant/{0} --dry-run",
]
# Asked only in a replay: what most mutants do not have must not end the script before the rest.
MODEL_PARTS = [
    "show mutant/{0}.Topic",
    "show mutant/{0}.Place --json",
    "show mutant/{0}.Place.where",
    "hash mutant/{0}.Place.name --explain --json",
    "try mutant/{0}.Topic.content optional NO",
    "try mutant/{0} add entity Another parentEntity=Place",
]
# What is made of a mutant lies beside it, where files may change.
MODEL_STORES = [
    "create made.sqlite --model mutant/{0} --rows 3 --force",
    "show made.sqlite",
    "validate made.sqlite",
    "compare made.sqlite made.sqlite --rows",
    "compare made.sqlite good/store.sqlite --rows",
    "create made.xml --model mutant/{0} --rows 2 --framework 640 --force",
    "validate made.xml --model mutant/{0}",
]
BUNDLE_READERS = [
    "load mutant/{0} --as m",
    "loaded",
    "hash m --all",
    "show m",
    "diff m sample:Topics/Model2",
]
BUNDLE_QUESTIONS = [
    "identify good/store.sqlite mutant/{0}",
    "infer seed/{0} mutant/{0}",
    "plan good/store.sqlite --to mutant/{0}",
    "migrate good/store.sqlite --to mutant/{0} --dry-run",
]
STORE_READERS = [
    "load mutant/{0} --as s",
    "metadata s --reveal",
    "hash s",
    "show s",
]
STORE_QUESTIONS = [
    "compare mutant/{0} sample:Topics/Model1",
    "compare mutant/{0} seed/{0}",
    "identify mutant/{0} sample:Topics",
    "plan mutant/{0} --to sample:Topics/Model2",
    "migrate mutant/{0} --to sample:Topics/Model2 --dry-run",
    "migrate mutant/{0} --to seed/{0} --dry-run",
    "migrate seed/{0} --to mutant/{0} --dry-run",
    "debug mutant/{0} --to sample:Topics/Model2",
    "step 4",
    "back 2",
    "continue",
    "back pass",
    "abandon",
]
STORE_PARTS = [
    "show s.Topic",
    "hash s --properties --explain",
    "diff sample:Topics/Model2 s",
    "infer s sample:Topics/Model2 --json",
    "rows s Topic --where \"content != nil OR ANY topicList.topics.content LIKE '*a*'\" --sort content",
    "rows s TopicList --limit 0 --json",
    "count s TopicList --where 'topics.@count > 0 AND title MATCHES \".*\"'",
    "sql s 'SELECT * FROM ZTOPIC, sqlite_master'",
    "validate s",
    "compare s seed/{0} --rows",
    "compare good/store.sqlite s --rows",
    "migrate mutant/{0} --to mutant/{0} --dry-run",
]


MAPPING_READERS = [
    "load mutant/{0} --as m",
    "show m",
    "mapping fits m sample:Topics",
]
MAPPING_QUESTIONS = [
    "mapping show mutant/{0}",
    "mapping diff seed/{0} mutant/{0}",
    "mapping lint mutant/{0} --from sample:Topics/Model4 --to sample:Topics/Model5",
    "mapping lint mutant/{0} seed/{0} --from sample:Recipes/Recipes1 --to sample:Recipes/Recipes2",
    "mapping fits mutant/{0} good/Topics.xcdatamodeld",
]
MAPPING_PARTS = [
    "mapping lint m",
    "show m.TopicToTopic",
    "mapping find good/Topics.xcdatamodeld/Model4 good/Topics.xcdatamodeld/Model5 --mappings mutant",
]
# Written, and read again.
MAPPING_MAKERS = [
    "mapping write mutant/{0} made.mapping --force",
    "mapping diff mutant/{0} made.mapping",
    "mapping write mutant/{0} Made.xcmappingmodel --force",
    "mapping diff mutant/{0} Made.xcmappingmodel",
]
XML_STORE_READERS = [
    "load sample:Topics",
    "metadata mutant/{0} --reveal",
    "show mutant/{0}",
]
XML_STORE_QUESTIONS = [
    "compare mutant/{0} sample:Topics/Model1",
    "identify mutant/{0} sample:Topics",
    "rows mutant/{0} Topic --model sample:Topics/Model1",
    "validate mutant/{0} --model sample:Topics/Model1",
    "compare mutant/{0} seed/{0} --rows",
]


def _reading(file, readers, questions, parts, makers=()):
    """Reads as text; asks in JSON; or does both the other way round in a replayed session, which goes
    on after what is refused; or makes files of it."""
    readers, questions, parts, makers = (
        [line.format(file) for line in lines] for lines in (readers, questions, parts, makers)
    )
    session = [line + " --json" for line in readers] + questions + parts
    # A rehearsal makes a store of the model: SQLite takes its time for hundreds of tables.
    seconds = 8.0 if any(line.startswith("migrate") for line in questions) else 1.0
    asked = "\n".join(line + " --json" for line in questions).encode()
    replayed = "\n".join(session).encode()
    runs = [
        Run([], "\n".join(readers).encode()),
        Run([], asked, is_json=True, seconds=seconds),
        Run(["replay", "session.strata", "--json"], replayed, is_json=True, seconds=seconds),
    ]
    if makers:
        runs.append(Run([], "\n".join(makers).encode(), seconds=8.0))
    return lambda _: runs


def _replaying(file):
    """Replays a mutated session, and runs it where it cannot write."""
    replay = ["replay", f"mutant/{file}", "--allow-read", "good"]
    report = ["--junit", "report.xml", "--force", "--annotate", "--ignore-wording"]
    # Whatever it says, an opened document changes nothing.
    runs = [
        Run(replay + report), Run(replay + ["--json"], is_json=True),
        Run(["open", f"mutant/{file}"], may_be_misused=True),
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


def _model(name, file, seeds, mutate):
    runs = _reading(file, MODEL_READERS, MODEL_QUESTIONS, MODEL_PARTS, MODEL_STORES)
    return Kind(name, file, seeds, mutate, runs)


def _bundle(name, file, seeds):
    runs = _reading(file, BUNDLE_READERS, BUNDLE_QUESTIONS, MODEL_PARTS)
    return Kind(name, file, seeds, bundle_mutations.mutate, runs)


def _store(name, seeds, mutate):
    runs = _reading("Store.sqlite", STORE_READERS, STORE_QUESTIONS, STORE_PARTS)
    return Kind(name, "Store.sqlite", seeds, mutate, runs)


def _mapping(name, file, seeds, mutate):
    runs = _reading(file, MAPPING_READERS, MAPPING_QUESTIONS, MAPPING_PARTS, MAPPING_MAKERS)
    return Kind(name, file, seeds, mutate, runs)


def _each(end, mutate):
    """A mutation of the file at this end of the path."""
    return lambda rng, files, others: {end: mutate(rng, files[end], others[end])}


KINDS = [
    _model(
        "model", "Model.xcdatamodel", lambda seeds: seeds.models, _each("/contents", xml_mutations.mutate)
    ),
    _bundle("bundle", "Model.xcdatamodeld", lambda seeds: seeds.bundles),
    _model(
        "old-model", "Old.xcdatamodel", lambda seeds: seeds.old_models,
        _each("/elements", plist_mutations.mutate),
    ),
    _model("mom", "Model.mom", lambda seeds: seeds.compiled_models, _each("", plist_mutations.mutate)),
    _bundle("momd", "Model.momd", lambda seeds: seeds.compiled_bundles),
    _store("store", lambda seeds: seeds.stores, store_mutations.mutate_pages),
    _store("wal", lambda seeds: seeds.stores_with_wal, store_mutations.mutate_wal),
    _store("rows", lambda seeds: seeds.plain_stores, store_mutations.mutate_rows),
    _store("metadata", lambda seeds: seeds.plain_stores, store_mutations.mutate_metadata),
    _store("cache", lambda seeds: seeds.stores_with_cache, store_mutations.mutate_cache),
    Kind(
        "xml-store", "Store.xml", lambda seeds: seeds.xml_stores, _each("", xml_mutations.mutate_any),
        _reading("Store.xml", XML_STORE_READERS, XML_STORE_QUESTIONS, []),
    ),
    _mapping(
        "mapping", "M.xcmappingmodel", lambda seeds: seeds.mappings,
        _each("/xcmapping.xml", mapping_mutations.mutate),
    ),
    _mapping("cdm", "M.cdm", lambda seeds: seeds.compiled_mappings, _each("", plist_mutations.mutate)),
    _mapping("mapping-text", "M.mapping", lambda seeds: seeds.mapping_texts, _each("", text_mutations.mutate)),
    Kind(
        "script", "s.strata", lambda seeds: seeds.scripts, session_mutations.mutate, _replaying("s.strata")
    ),
    Kind("notebook", "n.md", lambda seeds: seeds.notebooks, session_mutations.mutate, _replaying("n.md")),
    Kind(
        "typed", "t.txt", lambda seeds: session_mutations.typed_lines(), session_mutations.mutate_typed,
        _typing,
    ),
    Kind(
        "numbers", "Store.sqlite", lambda seeds: seeds.road_stores, number_mutations.mutate, lambda _: [],
        roads.examine, share=0.5,
    ),
]  # fmt: skip
