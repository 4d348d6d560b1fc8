"""Mutations of folders: of one file in them, of names, of what is there at all."""

import byte_mutations
import plist_mutations
import xml_mutations
from text_mutations import oddity


def mutate(rng, files, others):
    files = dict(files)
    for _ in range(rng.choice([1, 1, 2])):
        path = rng.choice(list(files))
        match rng.randrange(8):
            case 0 | 1 | 2 | 3:
                files[path] = mutate_file(rng, files[path], rng.choice(list(others.values())))
            case 4:
                files[_renamed(rng, path)] = files.pop(path)
            case 5:
                files[_renamed(rng, path)] = files[path]
            case 6:
                if len(files) > 1:
                    del files[path]
            case 7:
                other = rng.choice(list(others))
                files[other] = others[other]
    return files


def mutate_file(rng, data, other):
    """A mutation after the file's own format."""
    if data.startswith(plist_mutations.MAGIC):
        return plist_mutations.mutate(rng, data, other)
    if data.startswith(b"<"):
        return xml_mutations.mutate(rng, data, other)
    return byte_mutations.mutate(rng, data, other)


def _renamed(rng, path):
    """The path with one part called otherwise; never one that leads out of the folder."""
    parts = path.split("/")
    place = rng.randrange(1, len(parts))
    stem, dot, ending = parts[place].partition(".")
    new = oddity(rng) if rng.random() < 0.5 else stem.encode("utf-8", "surrogateescape").upper()
    new = new.replace(b"/", b":").replace(b"\0", b"0")[:200]
    name = new.decode("utf-8", "surrogateescape") + dot + ending
    parts[place] = name if name.strip(".") else "x"
    return "/".join(parts)
