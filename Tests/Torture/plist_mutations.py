"""Mutations of property lists: of the values in them, and of their binary form."""

import copy
import plistlib
import struct

import byte_mutations
import xml_mutations
from plistlib import UID
from text_mutations import NUMBERS, ODDITIES

MAGIC = b"bplist0"


def mutate(rng, data, other):
    """A mutation of values, of the form, or of bytes."""
    if not data.startswith(MAGIC):
        return xml_mutations.mutate(rng, data, other)
    match rng.randrange(8):
        case 0 | 1 | 2 | 3:
            return _mutate_values(rng, data, other)
        case 4 | 5:
            return _mutate_form(rng, data)
        case 6:
            return _mutate_form(rng, _mutate_values(rng, data, other))
        case _:
            return byte_mutations.mutate(rng, data, other)


def _mutate_values(rng, data, other):
    tree = _tree(data)
    if rng.random() < 0.1:
        _share(rng, tree)
    for _ in range(rng.choice([0, 1, 2, 4])):
        places = list(_places(tree))
        if not places:
            break
        container, key = rng.choice(places)
        _change(rng, container, key, places, other)
    form = plistlib.FMT_XML if rng.random() < 0.05 else plistlib.FMT_BINARY
    try:
        return plistlib.dumps(tree, fmt=form, sort_keys=False)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return data  # Nothing that this form can say: a circle, a control character in XML.


def _tree(data):
    """The values of a property list; none of one that an earlier mutation has broken."""
    try:
        return plistlib.loads(data)
    except (plistlib.InvalidFileException, RecursionError, MemoryError):
        return []


def _places(tree):
    """Every value's container and key there."""
    waiting = [tree] if isinstance(tree, (dict, list)) else []
    while waiting:
        container = waiting.pop()
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, value in items:
            yield container, key
            if isinstance(value, (dict, list)):
                waiting.append(value)


def _change(rng, container, key, places, other):
    if isinstance(container, dict) and key not in container:
        return
    if isinstance(container, list) and key >= len(container):
        return
    value = container[key]
    match rng.randrange(10):
        case 0:
            del container[key]
        case 1 | 2 | 3:
            container[key] = _other_value(rng, value)
        case 4 | 5:
            source, name = rng.choice(places)
            if isinstance(source, list) and name < len(source) or isinstance(source, dict) and name in source:
                container[key] = copy.deepcopy(source[name])
        case 6:
            if isinstance(container, dict):
                container[rng.choice(_keys(places))] = container.pop(key)
            else:
                container.insert(key, copy.deepcopy(value))
        case 7:
            if isinstance(value, (dict, list)):
                value.clear()
            elif isinstance(container, list):
                container.extend([value] * rng.choice([1, 10, 1000]))
        case 8:
            depth = rng.choice([1, 10, 127, 130])
            for _ in range(depth):
                value = [value]
            container[key] = value
        case 9:
            if other.startswith(MAGIC):
                source, name = rng.choice(list(_places(_tree(other))) or [([0], 0)])
                container[key] = source[name]


def _share(rng, archive):
    """Makes a collection of an archive large, and lets everything that has one like it have that."""
    try:
        objects = archive["$objects"]
        keys = {key for part in objects if isinstance(part, dict) for key in part if key[0] != "$"}
        key = rng.choice(sorted(keys))
        owners = [part for part in objects if isinstance(part, dict) and isinstance(part.get(key), UID)]
        shared = rng.choice(owners)[key]
        collection = objects[shared.data]
        times = rng.choice([10, 100, 1000])
        if collection["NS.objects"]:
            collection["NS.objects"] *= times
        else:
            collection["NS.objects"] = [UID(rng.randrange(len(objects)))] * times
        if "NS.keys" in collection:
            names = [UID(len(objects) + place) for place in range(len(collection["NS.objects"]))]
            objects += [f"key{place}" for place in range(len(names))]
            collection["NS.keys"] = names
    except (KeyError, IndexError, TypeError):
        return  # No archive, or one in another shape.
    for owner in owners:
        owner[key] = shared


def _keys(places):
    return [key for container, key in places if isinstance(container, dict)] or ["k"]


def _other_value(rng, value):
    if isinstance(value, UID) and rng.random() < 0.8:
        near = [value.data + 1, max(0, value.data - 1), 0, 1, rng.randrange(64), 0xFFFF, (1 << 64) - 1]
        return UID(rng.choice(near))
    match rng.randrange(9):
        case 0:
            return rng.choice([True, False])
        case 1:
            return rng.choice([-(1 << 63), -1, 0, 1, 2100, 700, 1 << 31, (1 << 63) - 1, (1 << 64) - 1])
        case 2:
            return rng.choice([0.0, -0.0, 1e308, float("inf"), float("nan"), 5e-324])
        case 3:
            return rng.choice(ODDITIES + NUMBERS).decode("utf-8", "replace")
        case 4:
            return rng.choice([b"", bytes(31), bytes(32), bytes(33), bytes(70000)])
        case 5:
            return UID(rng.randrange(256))
        case 6:
            return {}
        case 7:
            return []
        case _:
            return "$null"


def _mutate_form(rng, data):
    """Changes what only a binary property list has: markers, references, offsets, the trailer."""
    data = bytearray(data)
    if len(data) < 40:
        return bytes(data)
    offset_size, reference_size, count, root, table = struct.unpack(">6xBBQQQ", data[-32:])
    if table > len(data) - 32:
        return byte_mutations.nudge_byte(rng, bytes(data), b"")
    offsets = [
        int.from_bytes(data[table + place * offset_size : table + (place + 1) * offset_size])
        for place in range(min(count, (len(data) - 32 - table) // offset_size if offset_size else 0))
    ]
    for _ in range(rng.choice([1, 1, 2, 8])):
        if not offsets or reference_size == 0:
            break
        match rng.randrange(6):
            case 0:  # Another marker.
                data[rng.choice(offsets) % len(data)] = rng.randrange(256)
            case 1:  # The same kind with another length.
                place = rng.choice(offsets) % len(data)
                data[place] = data[place] & 0xF0 | rng.randrange(16)
            case 2:  # A reference to another object.
                start = rng.choice(offsets) + 1 + rng.randrange(8) * reference_size
                if start + reference_size <= table:
                    number = rng.choice([rng.randrange(count), root, count, count - 1])
                    number %= 1 << 8 * reference_size
                    data[start : start + reference_size] = number.to_bytes(reference_size)
            case 3:  # An object that begins elsewhere.
                start = table + rng.randrange(len(offsets)) * offset_size
                number = rng.choice([rng.choice(offsets), rng.choice(offsets) + 1, table, 0, len(data)])
                data[start : start + offset_size] = (number % (1 << 8 * offset_size)).to_bytes(offset_size)
            case 4:  # A field of the trailer.
                start, size = rng.choice([(-26, 1), (-25, 1), (-24, 8), (-16, 8), (-8, 8)])
                number = rng.choice(byte_mutations.INTEGERS + [count, root, table, count + 1])
                data[len(data) + start : len(data) + start + size] = (number % (1 << 8 * size)).to_bytes(size)
            case 5:  # A length that follows its marker.
                place = rng.choice(offsets)
                if place + 10 < table and data[place] & 0x0F == 0x0F:
                    power = rng.randrange(5)
                    number = rng.choice(byte_mutations.INTEGERS) % (1 << 8 * (1 << power))
                    data[place + 1] = 0x10 | power
                    data[place + 2 : place + 2 + (1 << power)] = number.to_bytes(1 << power)
    return bytes(data)
