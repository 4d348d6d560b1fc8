"""What a disk may hold when the power goes, of the log that fault_shim.c keeps of all changes in a folder.

A disk keeps for certain the bytes that a file was synced with, and the names that a folder was synced with. Of what
was changed since, anything may be there or not: files' bytes piece by piece, names in any order.
"""

import copy
import os
import struct
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

HEAD = struct.Struct("<7Q")
# A disk writes whole sectors.
SECTOR = 512


class Change(IntEnum):
    WRITES = 1
    CUTS = 2
    SYNCED = 3
    MAKES = 4
    MAKES_FOLDER = 5
    LINKS = 6
    MOVES = 7
    REMOVES = 8
    MAKES_LINK = 9
    MODE = 10


@dataclass
class Record:
    call: int
    change: Change
    numbers: tuple
    first: bytes
    second: bytes


def records(path):
    data = Path(path).read_bytes()
    found, place = [], 0
    while place < len(data):
        call, change, a, b, c, first, second = HEAD.unpack_from(data, place)
        place += HEAD.size
        middle = place + first
        found.append(Record(call, Change(change), (a, b, c), data[place:middle], data[middle : middle + second]))
        place = middle + second
    return found


@dataclass
class File:
    data: bytearray = field(default_factory=bytearray)
    mode: int = 0o644


@dataclass
class Link:
    target: str


@dataclass
class Folder:
    # By name, the number of what it is of.
    names: dict = field(default_factory=dict)
    mode: int = 0o755


class Disk:
    """Folders and files by their numbers: as programs see them, and as they are for certain."""

    def __init__(self, folder):
        """A folder, all of it on the disk."""
        self.root = os.stat(folder).st_ino
        self.live = {}
        self._read(Path(folder))
        self.kept = copy.deepcopy(self.live)
        # What was changed since it was synced last: names, by the folders that they are in, in their order, and
        # bytes by files.
        self.names = []
        self.bytes = {}
        # Numbers of files are used again: what they mean now.
        self.meaning = {}

    def _read(self, path):
        status = path.lstat()
        if path.is_symlink():
            self.live[status.st_ino] = Link(os.readlink(path))
        elif path.is_dir():
            self.live[status.st_ino] = Folder({child.name: self._read(child) for child in path.iterdir()}, status.st_mode & 0o7777)
        else:
            self.live[status.st_ino] = File(bytearray(path.read_bytes()), status.st_mode & 0o7777)
        return status.st_ino

    # What a program did

    def apply(self, record):
        a, b, c = record.numbers
        match record.change:
            case Change.WRITES | Change.CUTS:
                number = self.meaning.get(a, a)
                change = (b, record.first) if record.change == Change.WRITES else (b, None)
                _write(self.live[number], *change)
                self.bytes.setdefault(number, []).append(change)
            case Change.SYNCED:
                self._sync(self.meaning.get(a, a))
            case Change.MODE:
                number, mode = (b, c) if record.first else (a, b)
                self.live[self.meaning.get(number, number)].mode = mode
            case Change.MAKES | Change.MAKES_FOLDER:
                number = self._new(b)
                is_folder = record.change == Change.MAKES_FOLDER
                self.live[number] = Folder({}, c) if is_folder else File(bytearray(), c)
                self.kept[number] = Folder() if is_folder else File()
                self._rename([(self._of(a), record.first.decode(), number)])
            case Change.MAKES_LINK:
                number = self._new(len(self.live) + (1 << 62))
                self.live[number] = self.kept[number] = Link(record.second.decode())
                self._rename([(self._of(a), record.first.decode(), number)])
            case Change.LINKS:
                number = self.live[self._of(a)].names[record.first.decode()]
                self._rename([(self._of(b), record.second.decode(), number)])
            case Change.MOVES:
                number = self.live[self._of(a)].names[record.first.decode()]
                self._rename([(self._of(a), record.first.decode(), None), (self._of(b), record.second.decode(), number)])
            case Change.REMOVES:
                self._rename([(self._of(a), record.first.decode(), None)])

    def _of(self, number):
        return self.meaning.get(number, number)

    def _new(self, number):
        # A number that something else had.
        own = number
        while own in self.live:
            own += 1 << 63
        self.meaning[number] = own
        return own

    def _rename(self, changes):
        """Names that change in one instant: each is a folder, a name, and what it is of, if anything."""
        _name(self.live, changes)
        self.names.append(changes)

    def _sync(self, number):
        node = self.live[number]
        if isinstance(node, File):
            self.kept[number].data = bytearray(node.data)
            self.bytes.pop(number, None)
            return
        # What a folder is synced with may have come from another one: with all that came before it.
        entries, waiting, done = set(), [], []
        for changes in reversed(self.names):
            own = {(folder, name) for folder, name, _ in changes}
            if own & entries or any(folder == number for folder, _ in own):
                entries |= own
                done.append(changes)
            else:
                waiting.append(changes)
        for changes in reversed(done):
            _name(self.kept, changes)
        self.names = waiting[::-1]

    # What is there afterwards

    def after_power(self, keeps_names, keeps_bytes):
        """What is there when the power has gone: `keeps_names` and `keeps_bytes` are asked of each change that was not
        synced whether it has reached the disk."""
        nodes = {}
        for number, node in self.live.items():
            kept = self.kept[number]
            if isinstance(node, File):
                data = bytearray(kept.data)
                for change in self.bytes.get(number, ()):
                    for piece in _pieces(*change):
                        if keeps_bytes():
                            _write_into(data, *piece)
                nodes[number] = File(data, node.mode)
            elif isinstance(node, Folder):
                nodes[number] = Folder(dict(kept.names), node.mode)
            else:
                nodes[number] = node
        for changes in self.names:
            if keeps_names():
                _name(nodes, changes)
        return Tree(nodes, self.root)

    def now(self):
        return Tree(self.live, self.root)


class Tree:
    """A folder with all that is in it."""

    def __init__(self, nodes, root):
        self.nodes = nodes
        self.root = root

    def write(self, folder):
        """Makes the folder; names of one file are links."""
        created = {}

        def make(number, path):
            node = self.nodes[number]
            if isinstance(node, Folder):
                path.mkdir()
                for name, child in node.names.items():
                    make(child, path / name)
                path.chmod(node.mode)
            elif isinstance(node, Link):
                path.symlink_to(node.target)
            elif number in created:
                os.link(created[number], path)
            else:
                path.write_bytes(node.data)
                path.chmod(node.mode)
                created[number] = path

        make(self.root, Path(folder))

    def listing(self, number=None, path=""):
        """Every path with what is there: what two trees that are the same have in common."""
        node = self.nodes[self.root if number is None else number]
        if isinstance(node, Folder):
            yield path, "folder", node.mode
            for name in sorted(node.names):
                yield from self.listing(node.names[name], f"{path}/{name}")
        elif isinstance(node, Link):
            yield path, "link", node.target
        else:
            yield path, bytes(node.data), node.mode


def copied(disk):
    """Another disk of the same, which may change by itself."""
    return copy.deepcopy(disk)


def _write(node, offset, data):
    _write_into(node.data, offset, data)


def _write_into(content, offset, data):
    """Writes bytes; `None` cuts or lengthens the file there."""
    end = offset if data is None else offset + len(data)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if data is None:
        del content[offset:]
    else:
        content[offset:end] = data


def _pieces(offset, data):
    """The sectors of a write."""
    if data is None:
        return [(offset, None)]
    pieces, place = [], 0
    while place < len(data):
        size = SECTOR - (offset + place) % SECTOR
        pieces.append((offset + place, data[place : place + size]))
        place += size
    return pieces


def _name(nodes, changes):
    """Changes names; one that what it is of is not there for does nothing."""
    for folder, name, number in changes:
        if not isinstance(nodes.get(folder), Folder):
            continue
        if number is None:
            nodes[folder].names.pop(name, None)
        else:
            nodes[folder].names[name] = number
