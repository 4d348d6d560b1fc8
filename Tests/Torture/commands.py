"""Which commands each kind of file goes through: all that take such a file, by what they do.

`{m}` is the mutant, `{s}` what it was before, `{w}` a copy of the mutant that may change, in a folder `work` of its
own. Sound files stand in `good`.
"""

import json
import subprocess
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Commands:
    """What is done with a kind of files. Of a mutant, the first session is always run, then one of the others."""

    # One script, as text.
    readers: list[str]
    # One script, as JSON.
    questions: list[str]
    # Asked only in a replay, after all of the above: what most mutants do not have must not end the script before
    # the rest.
    parts: list[str] = field(default_factory=list)
    # Scripts of their own, which write into `work`.
    sessions: list[list[str]] = field(default_factory=list)

    def lines(self):
        return self.readers + self.questions + self.parts + [line for session in self.sessions for line in session]


# Forward and back through whatever there is.
STEPS = ["step 4", "where", "explain", "state --json", "back 2", "finish", "source", "destination", "associations", "back pass"]
WALK = ["break error", "next", "mark here", "hop", "log 5", "goto here", "pass", "eval '1 + 1'", "watch Topic", "continue"]
TRACED = ["trace migration 3", "trace sql 4 --own"]

MODEL = Commands(
    readers=[
        "load {m} --as m",
        "show m",
        "hash m --properties",
        "hash m --explain",
        "hash m",
        "diff {s} m --all",
        "diff m sample:Topics/Model2",
    ],
    questions=[
        "compare {s} {m}",
        "compare good/store.sqlite {m}",
        "identify good/store.sqlite {m}",
        "infer {s} {m}",
        "infer {m} {s}",
        "plan {s} --to {m}",
        "migrate good/store.sqlite --to {m} --dry-run",
    ],
    parts=[
        "show {m}.Topic",
        "show {m}.Place --json",
        "show {m}.Place.where",
        "hash {m}.Place.name --explain --json",
        "try {m}.Topic.content optional NO",
        "try {m} add entity Another parentEntity=Place",
        "cloudkit {m}",
        "cloudkit {s} {m} --json",
        "infer {s} {m} --split",
        "plan good/store.sqlite --to {m} --compare",
        "expect compatible {s} {m}",
        "expect safe {s} {m} --json",
        "expect reaches {m} {s}",
        "project mutant",
        "check mutant --rows 1",
        "doctor good/store.sqlite --model {m}",
        "rows good/store.sqlite Topic --model {m}",
        "validate good/store.sqlite --model {m} --json",
    ],
    sessions=[
        [
            "create work/made.sqlite --model {m} --rows 3",
            "show work/made.sqlite",
            "validate work/made.sqlite",
            "compare work/made.sqlite work/made.sqlite --rows",
            "compare work/made.sqlite good/store.sqlite --rows",
            "create work/made.xml --model {m} --rows 2 --framework 640",
            "validate work/made.xml --model {m}",
        ],
        ["write {m} work/Written.xcdatamodeld/One --current", "diff {m} work/Written.xcdatamodeld", "hash {m} --json"],
        [
            "infer {s} {m} --write work/Made.mapping", "mapping lint work/Made.mapping --from {s} --to {m}",
            "create work/old.sqlite --model {s} --rows 2",
            "migrate work/old.sqlite --to {m} --output work/new.sqlite --mapping work/Made.mapping",
            "compare work/old.sqlite work/new.sqlite --rows --json",
        ],
        ["create work/old.sqlite --model {s} --rows 3", *TRACED, "migrate work/old.sqlite --to {m}"],
        ["create work/old.sqlite --model {m} --rows 2", "migrate work/old.sqlite --to {s} --proof"],
        ["create work/old.xml --model {s} --rows 2", "migrate work/old.xml --to {m}"],
        ["create work/old.sqlite --model {s} --rows 2", "debug work/old.sqlite --to {m}", *STEPS, "continue", "commit"],
        ["debug good/store.sqlite --to {m} --strategy lightweight", *WALK, "abandon"],
        ["create work/made.sqlite --model {m}", "insert work/made.sqlite Topic content=x presenterName=y", "delete work/made.sqlite Topic p1"],
    ],
)  # fmt: skip

BUNDLE = Commands(
    readers=[
        "load {m} --as m",
        "loaded",
        "hash m --all",
        "show m",
        "diff m sample:Topics/Model2",
    ],
    questions=[
        "identify good/store.sqlite {m}",
        "infer {s} {m}",
        "plan good/store.sqlite --to {m}",
        "migrate good/store.sqlite --to {m} --dry-run",
    ],
    parts=MODEL.parts + ["infer {m} --all", "compare good/store.sqlite {m} --json"],
    sessions=[
        ["write {m} work/Written.xcdatamodeld", "hash work/Written.xcdatamodeld --all", "lock work", "check work --no-stores"],
        ["migrate work/good.sqlite --to {m} --strategy progressive"],
        ["migrate work/good.sqlite --to {m} --strategy hybrid --keep-old always"],
        ["migrate work/good.sqlite --to {m} --strategy staged --stages sample:Topics --output work/new.sqlite"],
        ["debug good/store.sqlite --to {m} --strategy hybrid", *STEPS, *WALK, "abandon"],
        ["create work/made.sqlite --model {m} --rows 2", "migrate work/made.sqlite --to {s} --discard-old"],
    ],
)

STORE = Commands(
    readers=[
        "load {m} --as s",
        "metadata s --reveal",
        "hash s",
        "show s",
    ],
    questions=[
        "compare {m} sample:Topics/Model1",
        "compare {m} {s}",
        "identify {m} sample:Topics",
        "plan {m} --to sample:Topics/Model2",
        "migrate {m} --to sample:Topics/Model2 --dry-run",
        "migrate {m} --to {s} --dry-run",
        "migrate {s} --to {m} --dry-run",
        "debug {m} --to sample:Topics/Model2",
        "step 4",
        "back 2",
        "continue",
        "back pass",
        "abandon",
    ],
    parts=[
        "show s.Topic",
        "hash s --properties --explain",
        "diff sample:Topics/Model2 s",
        "infer s sample:Topics/Model2 --json",
        "rows s Topic --where \"content != nil OR ANY topicList.topics.content LIKE '*a*'\" --sort content",
        "rows s TopicList --limit 0 --json",
        "count s TopicList --where 'topics.@count > 0 AND title MATCHES \".*\"'",
        "sql s 'SELECT * FROM ZTOPIC, sqlite_master'",
        "validate s",
        "compare s {s} --rows",
        "compare good/store.sqlite s --rows",
        "migrate {m} --to {m} --dry-run",
        "doctor {m}",
        "doctor mutant --model sample:Topics/Model1 --json",
        "project mutant",
        "check mutant --rows 1",
        "expect valid s",
        "expect all s Topic 'content != nil' --json",
        "expect count s Topic '>= 1'",
        "expect loses nothing s sample:Topics/Model3",
        "plan s --to sample:Topics --strategy hybrid --json",
        "plan s --to sample:Topics/Model4 --strategy staged --stages sample:Topics",
        "create made.sqlite --model s --rows 1",
        "write s Made.xcdatamodeld/One",
        "cloudkit s",
        "try s.Topic.content optional NO",
    ],
    sessions=[
        ["migrate {w} --to sample:Topics/Model2"],
        ["migrate {w} --to sample:Topics/Model3 --strategy lightweight --keep-old losses"],
        ["migrate {w} --to sample:Topics/Model5 --strategy hybrid --discard-old"],
        ["migrate {w} --to sample:Topics/Model4 --stages sample:Topics"],
        ["migrate {w} --to sample:Topics/Model2 --proof --strategy lightweight --json"],
        [*TRACED, "migrate {m} --to sample:Topics/Model2 --output work/new.sqlite", "compare {m} work/new.sqlite --rows"],
        ["migrate {m} --to sample:Topics/Model1 --output work/new.xml --from sample:Topics/Model1"],
        ["migrate {m} --to sample:Topics/Model2 --output work/second.sqlite --append", "validate work/second.sqlite"],
        ["debug {w} --to sample:Topics/Model5 --strategy hybrid", *WALK, "continue", "commit"],
        ["debug {w} --to sample:Topics/Model3 --strategy lightweight", *STEPS, "restart", "continue", "commit", "validate {w}"],
        ["export {m} work/page.html --to sample:Topics/Model5 --strategy hybrid --questions --reveal"],
        ["doctor {w} --fix", "doctor work --fix --json"],
        ["insert {w} Topic content=x presenterName=y topicList=p1 --model sample:Topics/Model1"],
        ["delete {w} TopicList p1 --model sample:Topics/Model1", "validate {w}"],
        ["create work/copy.sqlite --copy {m}", "delete work/copy.sqlite Topic p1"],
        ["trace sql 4 --own", "rows {m} Topic --model sample:Topics/Model1", "count {m} TopicList"],
    ],
)  # fmt: skip

# XML and binary stores: documents, read whole.
DOCUMENT = Commands(
    readers=[
        "load sample:Topics",
        "metadata {m} --reveal",
        "show {m}",
    ],
    questions=[
        "compare {m} sample:Topics/Model1",
        "identify {m} sample:Topics",
        "rows {m} Topic --model sample:Topics/Model1",
        "validate {m} --model sample:Topics/Model1",
        "compare {m} {s} --rows",
    ],
    parts=[
        "hash {m}",
        "count {m} TopicList --model sample:Topics/Model1 --where 'title != nil'",
        "plan {m} --to sample:Topics/Model2",
        "doctor {m} --model sample:Topics/Model1",
        "doctor mutant --json",
        "project mutant",
        "check mutant --rows 1",
        "expect valid {m} --model sample:Topics/Model1",
        "sql {m} 'SELECT 1'",
        "compare {m} good/store.sqlite --rows",
        "migrate {m} --to sample:Topics/Model2 --dry-run --json",
    ],
    sessions=[
        ["migrate {w} --to sample:Topics/Model2"],
        ["load sample:Topics", "migrate {w} --to Model3 --strategy lightweight --discard-old"],
        ["load sample:Topics", "migrate {w} --to Model5 --strategy hybrid --keep-old always"],
        ["migrate {m} --to sample:Topics/Model2 --output work/new.sqlite", "compare {m} work/new.sqlite --rows"],
        ["migrate {m} --to sample:Topics/Model1 --output work/new.xml", "compare {m} work/new.xml --rows"],
        ["debug {w} --to sample:Topics/Model2", *STEPS, "continue", "commit"],
        ["export {m} work/page.html --to sample:Topics/Model2"],
        ["insert {w} Topic content=x presenterName=y --model sample:Topics/Model1"],
        ["delete {w} Topic p102 --model sample:Topics/Model1", "delete {w} Topic p1 --model sample:Topics/Model1"],
        ["doctor {w} --fix"],
    ],
)

MAPPING = Commands(
    readers=[
        "load {m} --as m",
        "show m",
        "mapping fits m sample:Topics",
    ],
    questions=[
        "mapping show {m}",
        "mapping diff {s} {m}",
        "mapping lint {m} --from sample:Topics/Model4 --to sample:Topics/Model5",
        "mapping lint {m} {s} --from sample:Recipes/Recipes1 --to sample:Recipes/Recipes2",
        "mapping fits {m} good/Topics.xcdatamodeld",
    ],
    parts=[
        "mapping lint m",
        "show m.TopicToTopic",
        "mapping find good/Topics.xcdatamodeld/Model4 good/Topics.xcdatamodeld/Model5 --mappings mutant",
        "expect fits {m} sample:Topics/Model1 sample:Topics/Model2",
        "plan good/store.sqlite --to sample:Topics/Model2 --mappings mutant",
        "plan sample:Topics/Model4 --to sample:Topics/Model5 --mapping {m} --strategy custom",
        "compare good/store.sqlite good/second.sqlite --rows --mapping {m}",
        "project mutant",
        "check mutant --rows 1",
        "migrate good/recipes.sqlite --to sample:Recipes/Recipes2 --mapping {m} --without-policy --dry-run",
    ],
    sessions=[
        [
            "mapping write {m} work/made.mapping",
            "mapping diff {m} work/made.mapping",
            "mapping write {m} work/Made.xcmappingmodel",
            "mapping diff {m} work/Made.xcmappingmodel",
        ],
        ["mapping write {m} work/made.policy", "migrate good/store.sqlite --to sample:Topics/Model2 --mappings mutant --dry-run"],
        ["migrate work/good.sqlite --to sample:Topics/Model2 --mapping {m}"],
        ["migrate good/fourth.sqlite --to sample:Topics/Model5 --strategy custom --mapping {m} --output work/new.sqlite"],
        ["migrate good/store.sqlite --to sample:Topics/Model2 --mapping {m} --output work/second.sqlite --append"],
        ["migrate work/recipes.sqlite --to sample:Recipes/Recipes2 --mapping {m} --proof"],
        ["debug work/good.sqlite --to sample:Topics/Model2 --mapping {m}", *STEPS, *WALK, "commit"],
    ],
)  # fmt: skip

ROADS = "good/Roads.xcdatamodeld"
BY_POLICY = f"--to {ROADS}/Small --mapping good/Roads.mapping --policies {{m}} --without-policy"
POLICY = Commands(
    readers=[
        f"load {ROADS}",
        f"plan good/roads.sqlite {BY_POLICY.removesuffix(' --without-policy')}",
    ],
    questions=[
        f"migrate good/roads.sqlite {BY_POLICY} --dry-run",
        "migrate good/recipes.sqlite --to sample:Recipes/Recipes2 --policies {m} --dry-run",
    ],
    parts=[
        "project mutant",
        "check mutant --rows 1",
        f"migrate good/roads.sqlite {BY_POLICY} --strict --dry-run --json",
        "compare good/roads.sqlite good/roads.sqlite --rows --mapping good/Roads.mapping --policies {m}",
    ],
    sessions=[
        [f"migrate good/roads.sqlite {BY_POLICY} --output work/new.sqlite", "validate work/new.sqlite"],
        [f"migrate work/roads.sqlite {BY_POLICY}"],
        [f"debug work/roads.sqlite {BY_POLICY}", *STEPS, "watch Animal", "continue", "continue", "commit"],
        [*TRACED, f"migrate good/roads.sqlite {BY_POLICY} --reveal --output work/new.sqlite"],
    ],
)

BY_STAGES = "--strategy staged --stages {m}/S.stages"
LESSON = Commands(
    readers=[
        "lesson {m}",
        "answer 1",
        "lesson next",
        "task",
        "hint",
        "skip",
        "again",
        "skip",
        "lesson leave",
    ],
    questions=[
        "lesson",
        "lesson test {m}",
    ],
    parts=[
        "lesson check mutant --of {m}",
        "replay {m}",
    ],
    sessions=[
        ["lesson {m}", "skip", "skip", "skip", "skip", "again", "save work/notes.md", "replay work/notes.md"],
        ["lesson versions", "answer 3", "lesson {m}", "lesson next", "lesson forget", "lesson leave"],
    ],
)

STAGES = Commands(
    readers=[
        f"plan sample:Topics/Model1 --to sample:Topics {BY_STAGES}",
    ],
    questions=[
        f"plan good/store.sqlite --to sample:Topics/Model4 {BY_STAGES}",
        f"migrate good/store.sqlite --to sample:Topics/Model2 {BY_STAGES} --dry-run",
        "expect reaches sample:Topics/Model1 sample:Topics/Model5 --stages {m}/S.stages",
    ],
    parts=[
        "project mutant",
        "check mutant --rows 1",
        "expect migrates good/fourth.sqlite sample:Topics/Model5 --stages {m}/S.stages",
        f"migrate good/fourth.sqlite --to sample:Topics/Model5 {BY_STAGES} --dry-run",
        f"plan good/store.sqlite --to sample:Topics/Model3 --compare {BY_STAGES}",
    ],
    sessions=[
        [f"migrate work/good.sqlite --to sample:Topics/Model5 {BY_STAGES}", "compare good/store.sqlite work/good.sqlite"],
        [f"migrate good/fourth.sqlite --to sample:Topics/Model5 {BY_STAGES} --output work/new.sqlite"],
        [f"debug work/good.sqlite --to sample:Topics/Model4 {BY_STAGES}", *STEPS, *WALK, "continue", "commit"],
    ],
)

FAMILIES = {
    "model": MODEL, "bundle": BUNDLE, "store": STORE, "document": DOCUMENT, "mapping": MAPPING, "policy": POLICY,
    "stages": STAGES, "lesson": LESSON,
}  # fmt: skip

# What commands do; one may do several things.
DOINGS = {
    "migrates": {"plan", "migrate", "create", "insert", "delete"},
    "steps": {
        "debug", "export", "step", "next", "pass", "hop", "continue", "finish", "back", "goto", "mark", "restart", "break",
        "watch", "where", "explain", "state", "source", "destination", "associations", "eval", "log", "abandon", "commit",
    },
    "compares": {"compare", "diff", "infer", "expect", "identify"},
}  # fmt: skip
# Every kind of Core Data's files is read, migrated, stepped through and compared, but for these.
NOT_DONE = {"lesson": {"migrates", "steps", "compares"}}

# Commands that take no file of any kind, and why they are not run.
EXEMPT = {
    "edit": "needs a terminal",
    "history": "lists the lines typed at the prompt",
    "quit": "ends the script",
}


def word(line):
    return line.split()[0]


def doings(commands):
    """What is done, and by which commands, for the table of Docs/TORTURE.md."""
    names_used = sorted({word(line) for line in commands.lines()})
    done = {doing: [name for name in names_used if name in names] for doing, names in DOINGS.items()}
    others = set(names_used) - set().union(*DOINGS.values())
    return {"reads": sorted(others)} | done


def missing(program, others):
    """The commands that the program has and nothing here runs, and what is not done with a kind."""
    answer = subprocess.run([program, "help", "--json"], stdout=subprocess.PIPE, check=True).stdout
    known = {command["name"] for command in json.loads(answer)["commands"]}
    covered = {word(line) for commands in FAMILIES.values() for line in commands.lines()}
    covered |= {word(line) for line in others}
    for name in sorted(known - covered - set(EXEMPT)):
        yield f"no kind of file goes through `{name}`"
    for name in sorted(set(EXEMPT) - known):
        yield f"there is no command `{name}` any more"
    for family, commands in FAMILIES.items():
        for doing, words in doings(commands).items():
            if not words and doing not in NOT_DONE.get(family, ()):
                yield f"nothing {doing} a file of {family}"
