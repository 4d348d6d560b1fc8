"""Where the program stands, and the files to mutate beside the project."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.append(str(ROOT / "Tests/Corpus"))

import location  # noqa: E402

CORPUS = location.folder()


def add_options(parser):
    parser.add_argument("--program", type=Path, help="another strata than the one built here")
    parser.add_argument("--corpus", type=Path, default=CORPUS, help="a folder of files to mutate")


def chosen(options):
    """The program, built where that is needed."""
    if options.program:
        return options.program.resolve()
    subprocess.run([ROOT / "Scripts/strata", "--version"], check=True, stdout=subprocess.DEVNULL)
    return ROOT / ".build/program/release/strata"


def for_shim(program):
    """The program itself, or where it is static and nothing can be preloaded, the debug build of the same sources."""
    with open(program, "rb") as file:
        # The loader of shared libraries is named at the beginning.
        if b"ld-linux" in file.read(4096):
            return program
    subprocess.run(
        ["swift", "build", "--package-path", ROOT, "--product", "strata"], check=True, stdout=subprocess.DEVNULL
    )
    return ROOT / ".build/debug/strata"
