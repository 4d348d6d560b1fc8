"""Mutations that know nothing of a format."""

import struct

INTEGERS = [
    0, 1, 2, 0x0F, 0x10, 0x7E, 0x7F, 0x80, 0xFE, 0xFF, 0x100, 0x7FFF, 0x8000, 0xFFFF, 0x10000,
    0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1_0000_0000,
    0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF,
]  # fmt: skip


def span(rng, data, longest=1 << 16):
    """A random piece of the data, short ones as likely as long ones."""
    start = rng.randrange(len(data) + 1)
    length = min(1 << rng.randrange(17), longest, len(data) - start)
    return start, start + (rng.randrange(length + 1) if length else 0)


def flip_bits(rng, data, _):
    data = bytearray(data)
    for _ in range(1 << rng.randrange(5)):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def change_bytes(rng, data, _):
    data = bytearray(data)
    for _ in range(1 << rng.randrange(5)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def nudge_byte(rng, data, _):
    data = bytearray(data)
    place = rng.randrange(len(data))
    data[place] = (data[place] + rng.choice([-1, 1, -16, 16])) % 256
    return bytes(data)


def truncate(rng, data, _):
    return data[: rng.randrange(len(data))]


def delete(rng, data, _):
    start, end = span(rng, data)
    return data[:start] + data[end:]


def duplicate(rng, data, _):
    start, end = span(rng, data, longest=4096)
    return data[:end] + data[start:end] * (1 << rng.randrange(5)) + data[end:]


def move(rng, data, _):
    start, end = span(rng, data)
    rest = data[:start] + data[end:]
    place = rng.randrange(len(rest) + 1)
    return rest[:place] + data[start:end] + rest[place:]


def overwrite(rng, data, _):
    """One piece over another: the length stays, which offsets survive."""
    start, end = span(rng, data, longest=4096)
    place = rng.randrange(len(data) - (end - start) + 1)
    return data[:place] + data[start:end] + data[place + end - start :]


def splice(rng, data, other):
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other) + 1) :]


def integer(rng, data, _):
    """An interesting number at an aligned place, in either byte order."""
    size = rng.choice([1, 2, 4, 8])
    if len(data) < size:
        return data
    value = rng.choice(INTEGERS + [len(data), len(data) - 1, len(data) + 1])
    number = struct.pack(rng.choice("<>") + "Q", value % (1 << 64))
    number = number[:size] if rng.random() < 0.5 else number[-size:]
    place = rng.randrange(len(data) // size) * size
    return data[:place] + number + data[place + size :]


def fill(rng, data, _):
    start, end = span(rng, data)
    return data[:start] + bytes([rng.choice([0, 0x20, 0x7F, 0xFF])]) * (end - start) + data[end:]


ALL = [
    flip_bits, flip_bits, change_bytes, nudge_byte, truncate, delete, duplicate, move, overwrite,
    splice, integer, integer, integer, fill,
]  # fmt: skip


def mutate(rng, data, other):
    """One to four mutations, one after the other."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        if data:
            data = rng.choice(ALL)(rng, data, other)
    return data
