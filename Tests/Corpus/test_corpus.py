#!/usr/bin/env python3
"""Runs Scripts/corpus on repositories that it makes itself: nothing comes from the network."""

import json
import os
import plistlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from sources import TableError, checked_path, git_id  # noqa: E402

SCRIPT = Path(__file__).resolve().parent.parent.parent / "Scripts/corpus"
URL = "https://example.org/"
MODEL = "App.xcdatamodel/contents"
# No setting of the machine, such as another address for this one, takes part.
QUIET = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Test",
    "GIT_AUTHOR_EMAIL": "test@example.org",
    "GIT_COMMITTER_NAME": "Test",
    "GIT_COMMITTER_EMAIL": "test@example.org",
}


def store(path, digest):
    """A store with two notes, as far as the expected hashes and rows look at it."""
    database = sqlite3.connect(str(path))
    metadata = {
        "NSPersistenceFrameworkVersion": 1044,
        "NSStoreModelVersionHashes": {"Note": digest},
        "NSStoreModelVersionIdentifiers": ["1"],
    }
    database.executescript(
        """
        CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        INSERT INTO ZNOTE VALUES (1, 1, 1), (2, 1, 1);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 2);
        """
    )
    database.execute("INSERT INTO Z_METADATA VALUES (1, 'U', ?)", [plistlib.dumps(metadata)])
    database.commit()
    database.close()


class CorpusTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.root = Path(cls.temporary.name)
        repository = cls.root / "repositories/one"
        (repository / "App.xcdatamodel").mkdir(parents=True)
        (repository / MODEL).write_text(
            '<model><entity name="Note"><attribute name="text" attributeType="String"/></entity></model>'
        )
        (repository / "secret.dat").write_bytes(b"/Users/alice/x")
        (repository / "LICENSE.txt").write_text("Do what you like.")
        (repository / "other").write_text("nobody asked for this")
        store(repository / "Notes.sqlite", b"\1" * 32)
        cls.git("init", "--quiet", str(repository))
        cls.commit = cls.committed(repository, "first")
        # The fixed commit is no branch's newest, as it is where a project goes on.
        (repository / "other").write_text("later")
        cls.committed(repository, "second")
        cls.repository = repository
        cls.whole = None

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def git(cls, *words):
        run = subprocess.run(["git", *words], env={**os.environ, **QUIET}, stdout=subprocess.PIPE, check=True)
        return run.stdout.decode().strip()

    @classmethod
    def committed(cls, repository, message):
        cls.git("-C", str(repository), "add", "--all")
        cls.git("-C", str(repository), "commit", "--quiet", "--message", message)
        return cls.git("-C", str(repository), "rev-parse", "HEAD")

    def setUp(self):
        folder = tempfile.TemporaryDirectory(dir=self.root)
        self.addCleanup(folder.cleanup)
        self.into = Path(folder.name) / "corpus"
        edited = b"/Users/user0/x"
        self.files = {path: git_id((self.repository / path).read_bytes()) for path in [MODEL, "Notes.sqlite"]}
        self.files["secret.dat"] = {
            "into": "edited.dat",
            "replace": {"at": 7, "by": b"user0".hex()},
            "id": git_id(edited),
        }
        self.table = {
            "repositories": [
                {"url": f"{URL}one", "commit": self.commit, "licence": "MIT", "folders": {"app": self.files}}
            ],
            "leftOut": {"extracted": "made by hand"},
        }

    def corpus(self, *words, repositories=None, environment=None):
        """The exit status and all output of a run."""
        table = self.into.parent / "table.json"
        table.write_text(json.dumps(self.table))
        mirror = f"{URL}={repositories or self.root / 'repositories'}/"
        run = subprocess.run(
            [sys.executable, SCRIPT, "--into", self.into, "--table", table, "--from", mirror, *words],
            env={**os.environ, **QUIET, **(environment or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        return run.returncode, run.stdout.decode()

    def fetch_once(self):
        """The folder after a full fetch, which takes place once."""
        if self.whole is None:
            self.corpus()
            type(self).whole = self.root / "whole"
            shutil.copytree(self.into, self.whole)
        else:
            shutil.copytree(self.whole, self.into)

    def names(self):
        return sorted(str(path.relative_to(self.into)) for path in self.into.rglob("*") if path.is_file())

    def test_a_full_fetch_writes_every_file_and_what_the_tests_expect(self):
        status, output = self.corpus()
        self.assertEqual((status, self.names()), (0, [
            "EXPECTED-HASHES.json", "EXPECTED-STORES.json", f"app/{MODEL}", "app/LICENSE.upstream",
            "app/Notes.sqlite", "app/edited.dat",
        ]), output)  # fmt: skip
        self.assertEqual((self.into / "app/edited.dat").read_bytes(), b"/Users/user0/x")
        self.assertEqual((self.into / "app" / MODEL).read_bytes(), (self.repository / MODEL).read_bytes())
        self.assertIn("left out: extracted: made by hand", output)
        hashes = json.loads((self.into / "EXPECTED-HASHES.json").read_text())
        self.assertEqual({path: list(model) for path, model in hashes.items()}, {"app/App.xcdatamodel": ["Note"]})
        stores = json.loads((self.into / "EXPECTED-STORES.json").read_text())
        self.assertEqual(stores["app/Notes.sqlite"], {
            "framework": 1044, "hashes": {"Note": "01" * 32}, "identifiers": ["1"], "matchingModels": [],
            "modelCache": False, "rows": {"Note": 2}, "uuid": "U", "wal": False,
        })  # fmt: skip

    def test_a_second_run_fetches_nothing(self):
        self.fetch_once()
        status, output = self.corpus(repositories=self.root / "nowhere")
        self.assertEqual(status, 0, output)
        self.assertIn("3 files, 0 to fetch", output)

    def test_a_damaged_file_and_a_missing_file_are_repaired(self):
        self.fetch_once()
        (self.into / "app/Notes.sqlite").write_bytes(b"damaged")
        (self.into / "app/edited.dat").unlink()
        status, output = self.corpus()
        self.assertEqual(status, 0, output)
        self.assertIn("3 files, 2 to fetch", output)
        self.assertEqual((self.into / "app/edited.dat").read_bytes(), b"/Users/user0/x")
        self.assertEqual(git_id((self.into / "app/Notes.sqlite").read_bytes()), self.files["Notes.sqlite"])

    def test_a_server_that_refuses_commits_by_id_gives_its_branches(self):
        old = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.version", "GIT_CONFIG_VALUE_0": "0"}
        status, output = self.corpus(environment=old)
        self.assertEqual(status, 0, output)

    def test_a_missing_commit_is_named(self):
        self.table["repositories"][0]["commit"] = "0" * 39 + "1"
        status, output = self.corpus()
        self.assertEqual((status, self.names()), (1, []), output)
        self.assertIn("0" * 39 + "1: 3 files not fetched: ", output)

    def test_a_missing_repository_does_not_stop_the_others(self):
        self.table["repositories"].insert(0, {
            "url": f"{URL}two", "commit": self.commit, "licence": "MIT", "folders": {"two": {"a": "0" * 40}}
        })  # fmt: skip
        status, output = self.corpus()
        self.assertEqual(status, 1, output)
        self.assertRegex(output, "two at .*: 1 file not fetched: .* does not appear to be a git repository")
        self.assertIn(f"app/{MODEL}", self.names())
        self.assertNotIn("EXPECTED-STORES.json", self.names())

    def test_a_file_with_other_content_is_refused(self):
        self.files["Notes.sqlite"] = "0" * 40
        self.files["absent"] = "0" * 40
        self.files["secret.dat"]["replace"]["at"] = 6
        status, output = self.corpus()
        self.assertEqual(status, 1, output)
        self.assertRegex(output, "one: Notes.sqlite has the git id .*, expected " + "0" * 40)
        self.assertRegex(output, "one: what is made of secret.dat has the git id .*, expected ")
        self.assertIn("absent is not in the commit", output)
        self.assertEqual(self.names(), [f"app/{MODEL}", "app/LICENSE.upstream"])

    def test_paths_that_leave_the_folder_are_refused(self):
        self.files["secret.dat"]["into"] = "../../x"
        status, output = self.corpus()
        self.assertEqual((status, self.into.exists()), (2, False), output)
        self.assertIn("'app/../../x' is not a path below the corpus", output)
        for path in ["..", "a/../x", "/x", "a//x", "./x", "a\\x", "a\nb", "", 1]:
            with self.assertRaises(TableError):
                checked_path(path)

    def test_a_link_out_of_the_folder_is_not_followed(self):
        outside = self.into.parent / "outside"
        outside.mkdir()
        self.into.mkdir()
        (self.into / "app").symlink_to(outside)
        status, output = self.corpus()
        self.assertEqual((status, list(outside.rglob("*.sqlite"))), (1, []), output)
        self.assertIn("is a link that leads out of", output)

    def test_an_expectation_that_differs_is_named_and_kept(self):
        self.fetch_once()
        path = self.into / "EXPECTED-STORES.json"
        path.write_text(path.read_text().replace('"Note": 2', '"Note": 3'))
        status, output = self.corpus()
        self.assertEqual(status, 1, output)
        self.assertIn("app/Notes.sqlite: rows: Note is 3 in the file, computed 2", output)
        self.assertIn('"Note": 3', path.read_text())

    def test_the_folder_may_not_be_inside_the_clone(self):
        self.into = SCRIPT.parent / "x"
        run = subprocess.run([sys.executable, SCRIPT, "--into", self.into], stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b"inside the clone", run.stderr)
        self.assertFalse(self.into.exists())

    def test_the_list_names_repository_commit_licence_and_files(self):
        self.assertEqual(
            self.corpus("--list"),
            (0, f"{URL}one  {self.commit}  MIT  3 files\n1 repository, 3 files\n"),
        )

    def test_the_committed_table_can_be_read(self):
        run = subprocess.run([sys.executable, SCRIPT, "--list"], stdout=subprocess.PIPE)
        self.assertEqual(run.returncode, 0)
        self.assertIn(b"https://github.com/objcio/core-data  ", run.stdout)


if __name__ == "__main__":
    unittest.main()
