"""What is done while calls fail: every way to migrate a store, and everything else that writes."""

import shutil
import sqlite3
from dataclasses import dataclass, field

import store_contents

STORE = "t.sqlite"


@dataclass
class Scenario:
    """A folder and what is done in it."""

    name: str
    arguments: list[str]
    # What is laid out for it: command lines of strata, then what Python does in the folder.
    lines: list[str]
    prepare: object = None
    # Ways to the states between, by the arguments of the commands that stop there.
    between: list[list[str]] = field(default_factory=list)
    # (a folder) -> what must be there before it or after it.
    look: object = store_contents.store(STORE)
    # Files that are laid out too, by name.
    files: dict = field(default_factory=dict)


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


def behind_link(folder):
    """The store lies elsewhere, and a link leads to it."""
    (folder / "elsewhere").mkdir()
    shutil.move(folder / STORE, folder / "elsewhere" / STORE)
    (folder / STORE).symlink_to(f"elsewhere/{STORE}")


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
MANY_PICTURES = PICTURES + [
    f"insert t.sqlite TopicList title=T{number} picture=@{name}.bin"
    for number in range(3)
    for name in ("one", "two")
]
BY_MAPPING = ["migrate", STORE, "--to", "P.xcdatamodeld/P2", "--mapping", "P1ToP2.mapping"]
BY_INFERENCE = ["migrate", STORE, "--to", "P.xcdatamodeld/P2", "--strategy", "lightweight"]


def topics(version, store=STORE, rows=40):
    return [f"create {store} --model sample:Topics/{version} --rows {rows} --seed 5"]


def to(version, *options, store=STORE):
    return ["migrate", store, "--to", f"sample:Topics/{version}", *options]


HYBRID = ["--strategy", "hybrid"]
PART = "sample:Topics/Model4ToModel5-{}"


def part(number, *options):
    return to("Model5", "--strategy", "custom", "--mapping", PART.format(number), "--output", "all.sqlite", *options)


SCRIPTED = """\
stage custom Model2 -> Model3
  will: run Before.strata
  will: Topic: set presenterName = 'will'
  did: Topic: set presenterName = 'did'
  did: run After.strata
"""
SCRIPTS = {
    "All.stages": SCRIPTED,
    "Will.stages": SCRIPTED.replace("  did: run After.strata\n", ""),
    "Before.strata": "insert t.sqlite Topic presenterName=before\n",
    "After.strata": "insert t.sqlite Topic presenterName=after\n",
}
WALK = "debug t.sqlite --to {}\nstep 3\npass\nback\nmark here\ncontinue\ngoto here\ncontinue\ncommit\n"
RECIPES = ["create t.sqlite --model sample:Recipes/Recipes1 --rows 10 --seed 4"]
XML = topics("Model1", "t.xml", rows=10)


def in_xml(*options, model="Model2"):
    return to(model, *options, store="t.xml")


OF_XML = store_contents.store("t.xml")
BOTH = store_contents.store(STORE, "new.sqlite")

MIGRATIONS = [
    Scenario("in place", to("Model3"), topics("Model2")),
    Scenario(
        "in place, rollback mode", to("Model5", "--strategy", "lightweight"), topics("Model3"), rollback_mode
    ),
    Scenario("in place, dead WAL", to("Model3"), topics("Model2"), dead_wal),
    Scenario("in place, hot journal", to("Model3"), topics("Model2"), hot_journal),
    Scenario("in place, old one kept", to("Model3", "--keep-old", "always"), topics("Model2")),
    Scenario("in place, with losses", to("Model1", "--strategy", "lightweight"), topics("Model2")),
    Scenario("in place, nothing kept", to("Model1", "--strategy", "lightweight", "--keep-old", "never"), topics("Model2")),
    Scenario("in place, proved", to("Model3", "--proof"), topics("Model2")),
    Scenario("in place, behind a link", to("Model3", "--keep-old", "always"), topics("Model2"), behind_link,
             look=store_contents.store(f"elsewhere/{STORE}")),
    Scenario("in place, pictures kept", [*BY_INFERENCE, "--keep-old", "always"], MANY_PICTURES),
    Scenario("in place, two hops", to("Model3", "--stages", "Two.stages"), topics("Model1"),
             files={"Two.stages": "stage custom Model1 -> Model2\nstage custom Model2 -> Model3\n"},
             between=[to("Model2", "--stages", "Two.stages")]),
    Scenario("passes, replaced", to("Model2"), topics("Model1")),
    Scenario("passes, dead WAL", to("Model2"), topics("Model1"), dead_wal),
    Scenario("passes, hot journal", to("Model2"), topics("Model1"), hot_journal),
    Scenario("passes, behind a link", to("Model2"), topics("Model1"), behind_link,
             look=store_contents.store(f"elsewhere/{STORE}")),
    Scenario("passes, pictures", BY_MAPPING, PICTURES),
    Scenario("passes, many pictures", BY_MAPPING, MANY_PICTURES),
    Scenario("passes, nothing kept", [*BY_MAPPING, "--discard-old"], PICTURES),
    Scenario("passes, with policies", ["migrate", STORE, "--to", "sample:Recipes/Recipes2"], RECIPES),
    Scenario("hybrid, four hops", to("Model5", *HYBRID), topics("Model1")),
    Scenario("hybrid, nothing kept", to("Model5", *HYBRID, "--discard-old"), topics("Model1")),
    Scenario("progressive", to("Model4", "--strategy", "progressive"), topics("Model1")),
    Scenario(
        "staged", to("Model4", "--stages", "sample:Topics"), topics("Model1"),
        between=[to("Model3", "--stages", "sample:Topics")],
    ),
    Scenario(
        "staged, with scripts", to("Model3", "--stages", "All.stages"), topics("Model2"), files=SCRIPTS,
        between=[["run", "Before.strata"], to("Model3", "--stages", "Will.stages")],
    ),
    Scenario("new store beside", to("Model2", "--output", "new.sqlite"), topics("Model1"), look=BOTH),
    Scenario("new store, replacing one", to("Model2", "--output", "new.sqlite", "--force"),
             topics("Model1") + topics("Model4", "new.sqlite", rows=5), look=BOTH),
    Scenario("new store, pictures", [*BY_MAPPING, "--output", "new.sqlite"], PICTURES, look=BOTH),
    Scenario("a copy", to("Model1", "--output", "new.sqlite"), topics("Model1"), look=BOTH),
    Scenario("parts, the second appended", part(2, "--append"),
             topics("Model4", rows=15) + ["migrate " + " ".join(part(1)[1:])], look=store_contents.store(STORE, "all.sqlite")),
    Scenario("XML store, replaced", in_xml(), XML, look=OF_XML),
    Scenario("XML store, nothing kept", in_xml("--discard-old"), XML, look=OF_XML),
    Scenario("XML store, hybrid", in_xml(*HYBRID, model="Model5"), XML, look=OF_XML),
    Scenario("XML store into SQLite", in_xml("--output", "new.sqlite"), XML, look=store_contents.store("t.xml", "new.sqlite")),
    Scenario("SQLite into XML", to("Model2", "--output", "new.xml"), topics("Model1", rows=10),
             look=store_contents.store(STORE, "new.xml")),
    Scenario("stepped, in place", ["run", "walk.strata"], topics("Model2", rows=10),
             files={"walk.strata": WALK.format("sample:Topics/Model3")}),
    Scenario("stepped, in passes", ["run", "walk.strata"], topics("Model1", rows=10),
             files={"walk.strata": WALK.format("sample:Topics/Model2")}),
    Scenario("stepped, hybrid", ["run", "walk.strata"], topics("Model1", rows=5),
             files={"walk.strata": WALK.format("sample:Topics/Model5 --strategy hybrid")}),
]  # fmt: skip

BUNDLE = ["write sample:Topics B.xcdatamodeld"]
OTHERS = [
    Scenario("create", ["create", "new.sqlite", "--model", "sample:Topics/Model1", "--rows", "5"], topics("Model1"), look=BOTH),
    Scenario("create, pictures", ["create", "new.sqlite", "--model", "P.xcdatamodeld/P1", "--rows", "5"], PICTURES, look=BOTH),
    Scenario("create XML", ["create", "new.xml", "--model", "sample:Topics/Model1", "--rows", "5"], topics("Model1"),
             look=store_contents.store(STORE, "new.xml")),
    Scenario("insert", ["insert", STORE, "Topic", "presenterName=x"], topics("Model1")),
    Scenario("insert, a picture", ["insert", STORE, "TopicList", "title=New", "picture=@one.bin"], PICTURES),
    Scenario("insert, dead WAL", ["insert", STORE, "Topic", "presenterName=x"], topics("Model1"), dead_wal),
    Scenario("insert into XML", ["insert", "t.xml", "Topic", "presenterName=x", "--model", "sample:Topics/Model1"], XML, look=OF_XML),
    Scenario("delete", ["delete", STORE, "TopicList", "p1"], topics("Model1")),
    Scenario("delete, a picture", ["delete", STORE, "TopicList", "p13"], PICTURES),
    Scenario("delete, dead WAL", ["delete", STORE, "Topic", "p1"], topics("Model1"), dead_wal),
    Scenario("delete from XML", ["delete", "t.xml", "Topic", "p102", "--model", "sample:Topics/Model1"], XML, look=OF_XML),
    Scenario("create, a copy", ["create", "new.sqlite", "--copy", STORE], topics("Model1"), look=BOTH),
    Scenario("write, a new bundle", ["write", "sample:Topics", "C.xcdatamodeld"], [], look=store_contents.tree("C.xcdatamodeld")),
    Scenario("write, over a version", ["write", "sample:Topics/Model1", "B.xcdatamodeld/Model2", "--force"], BUNDLE,
             look=store_contents.tree("B.xcdatamodeld")),
    Scenario("write, a mapping model", ["infer", "sample:Topics/Model1", "sample:Topics/Model2", "--write", "M.xcmappingmodel"], [],
             look=store_contents.tree("M.xcmappingmodel")),
    Scenario("update a document", ["replay", "s.strata", "--update", "--all"], [],
             files={"s.strata": "load sample:Topics\n#| nothing\nhash Topics --all\n#| nothing\n"}, look=store_contents.tree("s.strata")),
    Scenario("save", ["run", "saving.strata"], [],
             files={"saving.strata": "load sample:Topics\nhash Topics --all\nsave saved.md\n"}, look=store_contents.tree("saved.md")),
]  # fmt: skip

SCENARIOS = MIGRATIONS + OTHERS
