"""Finds the program that a check tries."""

import os
import sys
from pathlib import Path

BUILT = Path(__file__).resolve().parent.parent.parent / ".build/debug/strata"


def chosen_program(arguments):
    """The program named first, else the debug build; without one, says how to get it and ends with 2."""
    program = Path(arguments[0]) if arguments else BUILT
    if not os.access(program, os.X_OK):
        print(f"{program} is no program: run swift build, or name one: {sys.argv[0]} PROGRAM", file=sys.stderr)
        sys.exit(2)
    return program.resolve()
