"""The table of public files, sources.json: from which commit of which repository each of them comes."""

import hashlib
import json
import re
from pathlib import Path, PurePosixPath

TABLE = Path(__file__).resolve().parent / "sources.json"

OBJECT_ID = re.compile(r"[0-9a-f]{40}")


class TableError(ValueError):
    """A table that nothing is fetched by."""


class File:
    """One file: its path in the repository, its path in the corpus, and the git id of its bytes.

    Where `replacement` is an offset and bytes, these replace the bytes of the fetched file, and the id is that of the
    result.
    """

    def __init__(self, source, path, object_id, replacement=None):
        self.source = checked_path(source)
        self.path = checked_path(path)
        if not isinstance(object_id, str) or not OBJECT_ID.fullmatch(object_id):
            raise TableError(f"{path}: {object_id!r} is not a git id of 40 hexadecimal digits")
        self.id = object_id
        self.replacement = replacement

    def made_of(self, fetched):
        if self.replacement is None:
            return fetched
        offset, by = self.replacement
        return fetched[:offset] + by + fetched[offset + len(by) :]


class Source:
    """One repository at one commit, and the files that are fetched from it."""

    def __init__(self, url, commit, licence, folders):
        if not isinstance(url, str) or not url.startswith("https://"):
            raise TableError(f"{url!r} is not an https address")
        if not isinstance(commit, str) or not OBJECT_ID.fullmatch(commit):
            raise TableError(f"{url}: {commit!r} is not a commit id of 40 hexadecimal digits")
        self.url = url
        self.commit = commit
        self.licence = licence
        self.folders = [checked_path(folder) for folder in folders]
        self.files = [
            file_of(folder, source, entry) for folder, files in folders.items() for source, entry in files.items()
        ]


class Table:
    def __init__(self, text):
        try:
            table = json.loads(text)
            self.sources = [
                Source(entry["url"], entry["commit"], entry["licence"], entry["folders"])
                for entry in table["repositories"]
            ]
            # Folders of models whose version hashes Core Data never confirmed.
            self.without_hashes = set(table.get("withoutHashes", []))
            # By folder, why it is not fetched.
            self.left_out = dict(table.get("leftOut", {}))
        except (AttributeError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise TableError(f"the table cannot be read: {type(error).__name__}: {error}") from None
        paths = [file.path for file in self.files]
        twice = {path for path in paths if paths.count(path) > 1}
        if twice:
            raise TableError(f"{min(twice)} is in the table twice")

    @property
    def files(self):
        return [file for source in self.sources for file in source.files]


def file_of(folder, source, entry):
    if isinstance(entry, str):
        return File(source, f"{folder}/{source}", entry)
    replacement = entry.get("replace")
    if replacement is not None:
        replacement = (replacement["at"], bytes.fromhex(replacement["by"]))
    return File(source, f"{folder}/{entry.get('into', source)}", entry["id"], replacement)


def checked_path(path):
    """A path that stays below the folder that it is appended to."""
    parts = path.split("/") if isinstance(path, str) else []
    if not parts or any(part in ("", ".", "..") for part in parts) or re.search(r"[\\\x00-\x1f]", path):
        raise TableError(f"{path!r} is not a path below the corpus")
    return str(PurePosixPath(path))


def git_id(data):
    """The id that git gives to a file with these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
