"""The frames of SQLite's WAL and their checksums, by the description of its file format."""

import struct

HEADER = 32
FRAME_HEADER = 24


def page_size(wal):
    return int.from_bytes(wal[8:12])


def frames(wal):
    """Where each whole frame begins."""
    length = FRAME_HEADER + page_size(wal)
    return range(HEADER, len(wal) - length + 1, length)


def fix_checksums(wal):
    """Makes every frame one that SQLite believes: the salts of the header, and right checksums."""
    order = ">" if wal[3] & 1 else "<"
    sums = _checksum(wal[:24], (0, 0), order)
    wal[24:32] = struct.pack(">II", *sums)
    size = page_size(wal)
    if not 512 <= size <= 65536:
        return
    for start in frames(wal):
        wal[start + 8 : start + 16] = wal[16:24]
        sums = _checksum(wal[start : start + 8], sums, order)
        sums = _checksum(wal[start + 24 : start + 24 + size // 8 * 8], sums, order)
        wal[start + 16 : start + 24] = struct.pack(">II", *sums)


def _checksum(data, sums, order):
    first, second = sums
    for even, odd in struct.iter_unpack(order + "II", data):
        first = (first + even + second) & 0xFFFF_FFFF
        second = (second + odd + first) & 0xFFFF_FFFF
    return first, second
