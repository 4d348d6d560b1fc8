"""What is mutated: files that the program itself and Python make, and those of the corpus.

A seed is a dictionary from the end of a path (`""`, `-wal`, `/contents`) to bytes: a file, with what
stands beside it or in it.
"""

import json
import os
import plistlib
import subprocess
import tempfile
from functools import cached_property
from pathlib import Path

import generated_models
import generated_stores
import lesson_texts
import method_models
import policy_texts
import session_mutations
import store_mutations

# Large seeds slow everything down and hold nothing that small ones do not.
LARGEST = 100_000
MOST = 40


class Seeds:
    """Every seed, by the kinds of files."""

    def __init__(self, program, corpus):
        self.program = program
        self.corpus = corpus
        with tempfile.TemporaryDirectory() as folder:
            answer(program, "samples", "--write", folder)
            self.samples = list(_folders(folder, ".xcdatamodeld"))
            self.sample_mappings = list(_folders(folder, ".xcmappingmodel"))
            bundle = Path(folder, "Topics.xcdatamodeld")
            hashes = json.loads(answer(program, "hash", "--all", bundle, "--json"))["versions"]
            self.topics = {
                name: Path(bundle, f"{name}.xcdatamodel/contents").read_bytes() for name in hashes
            }
        self.topics_hashes = {
            name: {entity: value["hash"] for entity, value in version["entities"].items()}
            for name, version in hashes.items()
        }

    @cached_property
    def models(self):
        samples = [
            {"/contents": data}
            for seed in self.samples
            for end, data in seed.items()
            if end.endswith("/contents")
        ]
        generated = samples + [{"/contents": generated_models.EVERYTHING}]
        return generated + _some(_folders(self.corpus, ".xcdatamodel", only="/contents"))

    @cached_property
    def old_models(self):
        return _some(_folders(self.corpus, ".xcdatamodel", only="/elements"))

    @cached_property
    def bundles(self):
        two_versions = {
            "/One.xcdatamodel/contents": generated_models.EVERYTHING,
            "/Two.xcdatamodel/contents": generated_models.EVERYTHING.replace(b"Person", b"Human"),
            "/.xccurrentversion": generated_models.CURRENT_VERSION.format("Two").encode(),
        }
        return self.samples + [two_versions] + _some(_folders(self.corpus, ".xcdatamodeld"))

    @cached_property
    def compiled_models(self):
        generated = [*self.topics.values(), generated_models.EVERYTHING]
        archives = [{"": generated_models.compiled(contents)} for contents in generated]
        return archives + _some(_files(self.corpus, ".mom"))

    @cached_property
    def compiled_bundles(self):
        info = {
            "NSManagedObjectModel_CurrentVersionName": list(self.topics)[-1],
            "NSManagedObjectModel_VersionHashes": {
                name: {entity: bytes.fromhex(text) for entity, text in hashes.items()}
                for name, hashes in self.topics_hashes.items()
            },
        }
        topics = {
            f"/{name}.mom": generated_models.compiled(contents) for name, contents in self.topics.items()
        }
        topics["/VersionInfo.plist"] = plistlib.dumps(info, fmt=plistlib.FMT_BINARY)
        return [topics] + _some(_folders(self.corpus, ".momd"))

    @cached_property
    def stores(self):
        archive = generated_models.compiled(self.topics["Model1"])
        generated = generated_stores.stores(self.topics_hashes["Model1"], archive)
        return list(generated) + _some(_stores(self.corpus))

    @cached_property
    def binary_stores(self):
        """Real ones: the program writes none."""
        return [{"": path.read_bytes()} for path in _paths(self.corpus) if path.name == "ScreenFlowDocument.dat"]

    @cached_property
    def xml_stores(self):
        """Those that the program makes, and real ones."""
        generated = []
        with tempfile.TemporaryDirectory() as folder:
            for version in ("Model1", "Model3", "Model5"):
                store = Path(folder, f"{version}.xml")
                answer(self.program, "create", store, "--model", f"sample:Topics/{version}", "--rows", "4")
                generated.append({"": store.read_bytes()})
        real = [
            {"": path.read_bytes()}
            for path in _paths(self.corpus)
            if path.suffix == ".mslice" or path.name == "xcmapping.xml"
        ]
        return generated * 3 + _some(real)

    @cached_property
    def mappings(self):
        """Xcode's documents: of the samples, one without its models, and real ones."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "plain.mapping").write_bytes(self.mapping_texts[-1][""])
            answer(self.program, "mapping", "write", "plain.mapping", "Plain.xcmappingmodel", folder=folder)
            plain = list(_folders(folder, ".xcmappingmodel"))
        return plain * 2 + self.sample_mappings + _some(_folders(self.corpus, ".xcmappingmodel"))

    @cached_property
    def mapping_texts(self):
        """With the models named, and, the last, with their hashes instead."""
        names = ["Topics/Model1ToModel2", "Topics/Model4ToModel5-1", "Recipes/Recipes1ToRecipes2"]
        with tempfile.TemporaryDirectory() as folder:
            for place, name in enumerate(names):
                answer(self.program, "mapping", "write", f"sample:{name}", f"{place}.mapping", folder=folder)
            answer(
                self.program, "mapping", "write", "sample:Topics/Model4ToModel5-2", "X.xcmappingmodel",
                folder=folder,
            )  # fmt: skip
            answer(self.program, "mapping", "write", "X.xcmappingmodel", "9.mapping", folder=folder)
            return list(_files(folder, ".mapping"))

    @cached_property
    def compiled_mappings(self):
        return list(_files(self.corpus, ".cdm")) + _generated_mappings()

    @cached_property
    def stores_with_wal(self):
        return [seed for seed in self.stores if seed.get("-wal")]

    @cached_property
    def plain_stores(self):
        """Those that SQLite can edit without their other files."""
        return [seed for seed in self.stores if store_mutations.blob(seed, "Z_METADATA", "Z_PLIST")]

    @cached_property
    def stores_with_cache(self):
        return [
            seed for seed in self.plain_stores if store_mutations.blob(seed, "Z_MODELCACHE", "Z_CONTENT")
        ]

    @cached_property
    def policies(self):
        return [{"": text.encode()} for text in policy_texts.POLICIES]

    @cached_property
    def stages(self):
        return [
            {"/S.stages": text.encode(), "/Check.strata": b"load sample:Topics\n"} for text in policy_texts.STAGES
        ]

    @property
    def lessons(self):
        return [{"": text.encode()} for text in lesson_texts.LESSONS]

    @cached_property
    def good(self):
        """What every trial has beside it, by path: stores, bundles and a mapping model that are sound."""
        topics = {
            f"good/Topics.xcdatamodeld/{name}.xcdatamodel/contents": contents
            for name, contents in self.topics.items()
        }
        files = {"good/store.sqlite": self.stores[0][""], "good/roads.sqlite": self.method_stores[1][""]}
        models = {"second": "Topics/Model2", "fourth": "Topics/Model4", "recipes": "Recipes/Recipes1"}
        with tempfile.TemporaryDirectory() as folder:
            for name, model in models.items():
                store = Path(folder, f"{name}.sqlite")
                answer(self.program, "create", store, "--model", f"sample:{model}", "--rows", "2", "--seed", "3")
                files[f"good/{store.name}"] = store.read_bytes()
        files["good/Roads.mapping"] = policy_texts.MAPPING.encode()
        return files | topics | method_models.BUNDLE

    @cached_property
    def method_stores(self):
        """Sound stores with hierarchies, orders and links of every kind, small and less so."""
        generated = []
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, method_models.BUNDLE)
            for seed, rows in enumerate([1, 3, 6, 12], start=1):
                store = Path(folder, f"{rows}.sqlite")
                answer(
                    self.program, "create", store, "--model", "good/Roads.xcdatamodeld/First", "--rows", str(rows),
                    "--seed", str(seed), folder=folder,
                )  # fmt: skip
                generated.append({"": store.read_bytes()})
        return generated

    @cached_property
    def scripts(self):
        return self._saved_sessions("saved.strata")

    @cached_property
    def notebooks(self):
        return self._saved_sessions("saved.md")

    def _saved_sessions(self, name):
        """Sessions with their answers, as the program itself saves them."""
        saved = []
        with tempfile.TemporaryDirectory() as folder:
            write_files(folder, self.good)
            document = Path(folder, "mutant", name)
            document.parent.mkdir()
            for seed in session_mutations.typed_lines():
                script = seed[""] + f"save mutant/{name} --force\n".encode()
                answer(self.program, folder=folder, script=script)
                saved.append({"": document.read_bytes()})
        return saved


def write_files(folder, files):
    """Writes files by their paths below a folder."""
    for path, data in files.items():
        file = Path(folder, path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)


def _generated_mappings():
    """A compiled mapping model as Core Data archives one, of one entity mapping."""
    names = ["TopicToTopic", "Topic", "content", "source", "valueForKeyPath:"]
    objects = [
        "$null",
        {"NSEntityMappings": plistlib.UID(2), "$class": plistlib.UID(12)},
        {"NS.objects": [plistlib.UID(3)], "$class": plistlib.UID(13)},
        {
            "NSMappingName": plistlib.UID(15), "NSMappingType": 4, "NSSourceEntityName": plistlib.UID(16),
            "NSDestinationEntityName": plistlib.UID(16), "NSAttributeMappings": plistlib.UID(4),
            "NSSourceEntityVersionHash": bytes(32), "NSDestinationEntityVersionHash": bytes(range(32)),
            "$class": plistlib.UID(14),
        },
        {"NS.objects": [plistlib.UID(5)], "$class": plistlib.UID(13)},
        {
            "NSDestinationPropertyName": plistlib.UID(17), "NSValueExpression": plistlib.UID(6),
            "$class": plistlib.UID(11),
        },
        {
            "NSOperand": plistlib.UID(7), "NSSelectorName": plistlib.UID(19), "NSExpressionType": 4,
            "NSArguments": plistlib.UID(8), "$class": plistlib.UID(20),
        },
        {"NSVariable": plistlib.UID(18), "NSExpressionType": 2, "$class": plistlib.UID(21)},
        {"NS.objects": [plistlib.UID(9)], "$class": plistlib.UID(13)},
        {"NSKeyPath": plistlib.UID(17), "NSExpressionType": 10, "$class": plistlib.UID(10)},
        *[
            {"$classname": name, "$classes": [name, "NSObject"]}
            for name in [
                "NSKeyPathSpecifierExpression", "NSPropertyMapping", "NSMappingModel", "NSArray",
                "NSEntityMapping",
            ]
        ],
        *names,
        *[
            {"$classname": name, "$classes": [name, "NSObject"]}
            for name in ["NSKeyPathExpression", "NSVariableExpression"]
        ],
    ]  # fmt: skip
    archive = {
        "$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)},
        "$objects": objects,
    }  # fmt: skip
    return [{"": plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)}]


def answer(program, *arguments, folder=None, script=b""):
    command = [program, *arguments]
    run = subprocess.run(command, cwd=folder, input=script, capture_output=True)
    if run.returncode not in (0, 1):
        raise SystemExit(f"{run.stderr.decode()}error: no seeds: {command} ended with status {run.returncode}")
    return run.stdout


def _some(seeds):
    """The small ones among seeds, spread evenly."""
    small = [seed for seed in seeds if 0 < sum(map(len, seed.values())) <= LARGEST]
    return small[:: -(-len(small) // MOST) or 1]


def _paths(folder):
    for parent, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(folders + files):
            yield Path(parent, name)


def _folders(folder, ending, only=None):
    """The folders of this ending; with `only`, that file of each alone."""
    for path in _paths(folder):
        if path.suffix == ending and path.is_dir():
            files = {
                str(file).removeprefix(str(path)): file.read_bytes()
                for file in _paths(path)
                if file.is_file() and file.name != "layout" and file.suffix != ".omo"
            }
            yield {end: data for end, data in files.items() if only in (None, end)}


def _files(folder, ending):
    for path in _paths(folder):
        if path.suffix == ending and path.is_file():
            yield {"": path.read_bytes()}


def _stores(folder):
    for path in _paths(folder):
        if not path.is_file() or path.stat().st_size > LARGEST:
            continue
        data = path.read_bytes()
        if data.startswith(b"SQLite format"):
            wal = Path(f"{path}-wal")
            yield {"": data} | ({"-wal": wal.read_bytes()} if wal.exists() else {})
