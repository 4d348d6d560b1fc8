"""Reads files of one commit of a repository by the git command line, and fetches no more than these."""

import os
import re
import subprocess
import unicodedata

# Git writes to this repository, asks nobody for a password, and gives up where nothing arrives for a minute.
SETTINGS = {
    "credential.helper": "",
    "http.lowSpeedLimit": "1000",
    "http.lowSpeedTime": "60",
    "gc.auto": "0",
    "advice.detachedHead": "false",
}
# What a surrounding git command, such as a hook's, says about its own repository.
OTHER_REPOSITORY = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_OBJECT_DIRECTORY GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR GIT_NAMESPACE"
    " GIT_SHALLOW_FILE GIT_GRAFT_FILE GIT_PREFIX"
).split()
LICENCE = re.compile(r"(licen[cs]e|copying)([-.].*)?", re.IGNORECASE)


class FetchError(Exception):
    """A file, or a whole commit, that could not be fetched, and why."""


class Repository:
    """A bare repository in an empty folder, into which one commit is fetched without its history."""

    def __init__(self, folder, url, commit):
        self.folder = str(folder)
        self.url = url
        self.commit = commit
        self.run("init", "--quiet", "--bare", self.folder)
        self.run("remote", "add", "--", "origin", url)
        self.fetch_commit()
        self.ids = self.tree()

    def run(self, *words):
        """What git prints."""
        environment = {key: value for key, value in os.environ.items() if key not in OTHER_REPOSITORY}
        environment.update(GIT_DIR=self.folder, GIT_TERMINAL_PROMPT="0", LC_ALL="C")
        settings = [word for key, value in SETTINGS.items() for word in ("-c", f"{key}={value}")]
        try:
            run = subprocess.run(
                ["git", *settings, *words],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise FetchError(f"git cannot be run: {error.strerror}") from None
        if run.returncode:
            raise FetchError(reason(run.stderr) or f"git {words[0]} ended with status {run.returncode}")
        return run.stdout

    def fetch(self, *what):
        self.run("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--filter=blob:none", *what)

    def fetch_commit(self):
        """Fetches the commit alone; where the server gives no commit by its id, all branches and tags."""
        try:
            self.fetch("--depth", "1", "origin", self.commit)
            return
        except FetchError as error:
            first = error
        try:
            self.fetch("origin", "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
        except FetchError:
            raise first from None
        try:
            self.run("cat-file", "-e", f"{self.commit}^{{commit}}")
        except FetchError:
            raise FetchError(f"no branch or tag contains the commit {self.commit}") from None

    def tree(self):
        """The id of each file of the commit, by path."""
        ids = {}
        listed = self.run("ls-tree", "-r", "-z", "--full-tree", self.commit)
        for line in listed.decode(errors="surrogateescape").split("\0"):
            if line:
                about, path = line.split("\t", 1)
                _, kind, object_id = about.split()
                if kind == "blob":
                    ids[path] = object_id
        return ids

    def id(self, path):
        """The id of a file; macOS and Linux may have stored its accents in different forms."""
        for form in ("NFC", "NFD"):
            found = self.ids.get(unicodedata.normalize(form, path))
            if found:
                return found
        raise FetchError(f"{path} is not in the commit {self.commit[:12]}")

    def fetch_blobs(self, ids):
        """Fetches the content of all these files at once. Git fetches what is still missing when it is read."""
        listed = self.run("rev-list", "--objects", "--missing=print", "--no-object-names", f"{self.commit}^{{tree}}")
        missing = sorted({line[1:] for line in listed.decode().split() if line.startswith("?")} & set(ids))
        if missing:
            try:
                self.fetch("origin", *missing)
            except FetchError:
                pass

    def content(self, object_id):
        return self.run("cat-file", "blob", object_id)

    def licence(self):
        """The text of the licence at the top of the repository, if there is one."""
        names = sorted(path for path in self.ids if LICENCE.fullmatch(path))
        return self.content(self.ids[names[0]]) if names else None


def reason(errors):
    """The line of git's output that tells what went wrong."""
    lines = [line.strip() for line in errors.decode(errors="replace").splitlines() if line.strip()]
    told = [line for line in lines if re.match(r"(fatal|error|remote error|remote): ", line)]
    return re.sub(r"^(fatal|error): ", "", (told or lines or [""])[0])
