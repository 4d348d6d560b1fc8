"""Installs Python packages that checks need into a folder of their own, once."""

import os
import subprocess
import sys
import venv
from pathlib import Path


def run_with(place, packages, sources=()):
    """Runs the calling script again with the packages; where they cannot be installed, says so and ends with 0.

    `sources` are downloaded as archives, not installed.
    """
    if Path(sys.prefix).resolve() == place.resolve():
        return
    marker, python = place / "installed", place / "bin/python3"
    wanted = "\n".join([*packages, *sources])
    try:
        if not marker.exists() or marker.read_text() != wanted:
            venv.create(place, with_pip=True, clear=True)
            pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
            subprocess.run([*pip, "install", *packages], check=True, capture_output=True, timeout=600)
            for source in sources:
                subprocess.run(
                    [*pip, "download", "--no-deps", "--no-binary", ":all:", "--dest", place, source],
                    check=True, capture_output=True, timeout=600)
            marker.write_text(wanted)
    except (subprocess.SubprocessError, OSError) as error:
        reason = (getattr(error, "stderr", None) or str(error).encode()).decode().strip().splitlines()
        print(f"skipped: the packages cannot be installed: {reason[-1] if reason else error}")
        sys.exit(0)
    os.execv(python, [python, *sys.argv])
