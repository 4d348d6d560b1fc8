"""Mutations of mapping models: of Xcode's document, and of the archives that it holds as base64."""

import base64
import re

import plist_mutations
import xml_mutations

ARCHIVE = re.compile(rb'(<attribute name="\w+data" type="binary">)([^<]*)(</attribute>)')


def mutate(rng, data, other):
    """A mutation of the document, or of an archive in it."""
    archives = list(ARCHIVE.finditer(data))
    if not archives or rng.random() < 0.5:
        return xml_mutations.mutate_any(rng, data, other)
    chosen = rng.choice(archives)
    try:
        inner = base64.b64decode(chosen[2])
        others = [base64.b64decode(found[2]) for found in ARCHIVE.finditer(other)] or [inner]
    except ValueError:
        return xml_mutations.mutate_any(rng, data, other)
    mutant = base64.b64encode(plist_mutations.mutate(rng, inner, rng.choice(others)))
    return data[: chosen.start(2)] + mutant + data[chosen.end(2) :]
