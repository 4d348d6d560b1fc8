"""A store of the sample model Topics/Model1, made with SQLite itself."""

import plistlib
import sqlite3
import struct
import tempfile
import zlib
from pathlib import Path

import write_ahead_log

TABLES = [
    "CREATE TABLE ZTOPIC ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTOPICLIST INTEGER, "
    "ZDATECREATED TIMESTAMP, ZCONTENT VARCHAR, ZPRESENTEREMAIL VARCHAR, ZPRESENTERNAME VARCHAR )",
    "CREATE TABLE ZTOPICLIST ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR )",
    "CREATE INDEX ZTOPIC_ZTOPICLIST_INDEX ON ZTOPIC (ZTOPICLIST)",
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
]


def metadata(hashes):
    """The property list of a store whose entities have these hashes, in hex."""
    return {
        "NSStoreType": "SQLite",
        "NSStoreModelVersionHashes": {name: bytes.fromhex(text) for name, text in hashes.items()},
        "NSStoreModelVersionHashesVersion": 3,
        "NSStoreModelVersionIdentifiers": ["Model1"],
        "NSPersistenceFrameworkVersion": 1344,
        "_NSAutoVacuumLevel": "2",
        "theApplicationsOwn": {"a date": [1, 2.5, True, b"data"]},
    }


def deflated(data):
    deflater = zlib.compressobj(wbits=-15)
    return deflater.compress(data) + deflater.flush()


def inflated(data):
    return zlib.decompressobj(wbits=-15).decompress(data)


def _fill(connection, hashes, archive, form, with_cache):
    for table in TABLES:
        connection.execute(table)
    connection.executemany(
        "INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", [(1, "Topic", 20), (2, "TopicList", 3)]
    )
    connection.executemany(
        "INSERT INTO ZTOPICLIST VALUES (?, 2, 1, ?)",
        [(1, "Talks"), (2, "Löcher 🎈"), (3, None)],
    )
    connection.executemany(
        "INSERT INTO ZTOPIC VALUES (?, 1, 1, ?, ?, ?, ?, ?)",
        [(key, key % 4 or None, key * 1.5, f"topic {key}", None, "Ben") for key in range(1, 21)],
    )
    plist = plistlib.dumps(metadata(hashes), fmt=form)
    if form == plistlib.FMT_XML:
        plist = plist.decode()
    connection.execute(
        "INSERT INTO Z_METADATA VALUES (1, 'AAAAAAAA-0000-4000-8000-000000000001', ?)", [plist]
    )
    if with_cache:
        connection.execute("INSERT INTO Z_MODELCACHE VALUES (?)", [deflated(archive)])
    connection.commit()


def stores(hashes, archive):
    """Stores in every state that a program can leave them in: each the files by their endings."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s")
        for form, with_cache in [(plistlib.FMT_BINARY, True), (plistlib.FMT_XML, False)]:
            connection = sqlite3.connect(path)
            _fill(connection, hashes, archive, form, with_cache)
            connection.close()
            yield _files(path)
            path.unlink()
        for is_begun_in_file in (True, False):
            yield _with_wal(path, hashes, archive, is_begun_in_file)
            path.unlink()
        yield _with_journal(Path(folder, "j"), hashes, archive)


def _with_wal(path, hashes, archive, is_begun_in_file):
    """Some rows, and the metadata, stand only in the WAL; or everything does."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    _fill(connection, hashes, archive, plistlib.FMT_BINARY, True)
    if is_begun_in_file:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("UPDATE ZTOPIC SET ZCONTENT = 'later' WHERE Z_PK < 9")
    connection.execute("UPDATE Z_METADATA SET Z_UUID = 'BBBBBBBB-0000-4000-8000-000000000001'")
    connection.commit()
    files = _files(path)
    connection.close()
    wal = bytearray(files["-wal"])
    wal[16:24] = b"\1\2\3\4\5\6\7\10"  # The salts are random: with them no two seeds were alike.
    write_ahead_log.fix_checksums(wal)
    return files | {"-wal": bytes(wal)}


def _with_journal(path, hashes, archive):
    """As it was left by a program that died while it wrote."""
    connection = sqlite3.connect(path)
    _fill(connection, hashes, archive, plistlib.FMT_BINARY, True)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("UPDATE ZTOPIC SET ZCONTENT = Z_PK || hex(zeroblob(2000))")
    files = _files(path)
    connection.close()
    files["-journal"] = _with_fixed_nonce(files["-journal"])
    return files


def _with_fixed_nonce(journal):
    """SQLite adds a random number to every checksum of a journal: with it no two seeds were alike.

    What follows the records, a second header with such a number, is left out.
    """
    journal = bytearray(journal)
    (nonce,) = struct.unpack_from(">I", journal, 12)
    sector, page = struct.unpack_from(">II", journal, 20)
    struct.pack_into(">I", journal, 12, 0)
    record = 4 + page + 4
    records = range(sector, len(journal) - record + 1, record)
    for place in records:
        (checksum,) = struct.unpack_from(">I", journal, place + 4 + page)
        struct.pack_into(">I", journal, place + 4 + page, (checksum - nonce) % (1 << 32))
    return bytes(journal[: sector + len(records) * record])


def _files(path):
    return {
        ending: Path(str(path) + ending).read_bytes()
        for ending in ["", "-wal", "-journal"]
        if Path(str(path) + ending).exists()
    }
