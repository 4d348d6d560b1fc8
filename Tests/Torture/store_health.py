"""Whether SQLite finds a store sound, and what it holds."""

import hashlib
import shutil
import sqlite3
import tempfile
from pathlib import Path


class Health:
    """A look at a store, which its files do not notice."""

    def __init__(self, path):
        self.problem = None
        self.digest = None
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, "copy")
            try:
                for end in ("", "-wal", "-journal"):
                    if Path(f"{path}{end}").exists():
                        shutil.copyfile(f"{path}{end}", f"{copy}{end}")
                store = sqlite3.connect(copy)
                try:
                    self._look(store)
                finally:
                    store.close()
            except (OSError, sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
                self.problem = f"unreadable: {error}"

    @property
    def is_sound(self):
        return self.problem is None

    def _look(self, store):
        # A view or a generated column of a mutant may never end.
        store.set_progress_handler(lambda: 1, 20_000_000)
        store.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10_000_000)
        store.text_factory = bytes
        found = store.execute("PRAGMA integrity_check").fetchall()
        if found != [(b"ok",)]:
            self.problem = f"damaged: {found[:2]}"
            return
        digest = hashlib.sha256()
        tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        for (name,) in store.execute(tables).fetchall():
            quoted = name.decode().replace('"', '""')
            digest.update(name)
            for row in store.execute(f'SELECT * FROM "{quoted}" ORDER BY rowid'):
                digest.update(repr(row).encode())
        self.digest = digest.hexdigest()
