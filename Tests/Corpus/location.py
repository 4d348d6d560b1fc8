"""Where the public files of the tests are: the same three places as in Tests/TestSupport/Corpus.swift."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def folder():
    """$STRATA_CORPUS, or ../shared/corpus where that folder exists, or ../corpus beside the clone."""
    chosen = os.environ.get("STRATA_CORPUS")
    if chosen:
        return Path(chosen).absolute()
    shared = ROOT.parent / "shared/corpus"
    return shared if shared.is_dir() else ROOT.parent / "corpus"
