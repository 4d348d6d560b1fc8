"""What a receipt must say of a migration: counts over both stores, object by object."""

import math

from validation import Findings

# Whole numbers that a type has room for.
RANGES = {
    "Integer 16": (-(2**15), 2**15 - 1), "Integer 32": (-(2**31), 2**31 - 1), "Integer 64": (-(2**63), 2**63 - 1),
}  # fmt: skip
LARGEST = {"Float": 3.4028234663852886e38, "Double": 1.7976931348623157e308, "Decimal": 3.4028236692093846e165}
NUMBERS = set(RANGES) | set(LARGEST) | {"Boolean"}


def fits(value, type):
    """Whether a number has room in a type: "yes", "truncated" or "no"."""
    if type == "Boolean":
        return "yes" if value in (0, 1) else "no"
    if type in LARGEST:
        return "yes" if abs(value) <= LARGEST[type] else "no"
    if math.isinf(value) or not RANGES[type][0] <= int(value) <= RANGES[type][1]:
        return "no"
    return "yes" if int(value) == value else "truncated"


class ReceiptCheck:
    """Compares a receipt with the stores before and after: `before` and `after` know objects by their markers."""

    def __init__(self, before, after, continuation, receipt):
        self.before, self.after = before, after
        self.goes_on = continuation
        self.receipt = receipt
        self.findings = Findings()

    def run(self):
        self._check_objects()
        sources, destinations = {}, {}
        for fate in self.receipt["properties"]:
            for name in fate["sources"]:
                sources.setdefault(name, []).append(fate)
            for name in fate["destinations"]:
                destinations.setdefault(name, []).append(fate)
        self._check_sources(sources)
        self._check_destinations(destinations)
        return self.findings

    def _equal(self, what, said, counted):
        if said != counted:
            self.findings.add("receipt", f"{what} is {said}, counted {counted}")

    # Objects.

    @staticmethod
    def _of(marked, entity):
        return {marker: key for marker, (name, key) in marked.by_marker.items() if name == entity}

    def _check_objects(self):
        for fate in self.receipt["objects"]:
            old = self._of(self.before, fate["source"]) if fate["source"] else {}
            new = self._of(self.after, fate["destination"]) if fate["destination"] else {}
            name = fate["mapping"]
            self._equal(f"{name}: source", fate["read"], len(old))
            self._equal(f"{name}: created", fate["created"], len(new))
            self._equal(f"{name}: lost", fate["lost"], len(old.keys() - new.keys()))
            self._equal(f"{name}: joined and skipped", fate["joined"] + fate["skipped"], 0)
            common = old.keys() & new.keys()
            is_same = all(old[marker] == new[marker] for marker in common)
            keys = None
            if common:
                renamed = fate["source"] != fate["destination"]
                keys = "changed" if not is_same else "entityRenamed" if renamed else "kept"
            self._equal(f"{name}: keys", fate["keys"], keys)

    # Attributes.

    @staticmethod
    def _leaves(model):
        """The plain attributes of concrete entities."""
        for entity in model.order:
            if not model.is_abstract(entity):
                for leaf in model.all_leaves(entity):
                    if len(leaf.path) == 1:
                        yield entity, leaf

    @staticmethod
    def _values(marked, leaf, entity):
        return {marker: value for marker, value in marked.values(leaf, entity).items() if value is not None}

    def _check_sources(self, fates):
        for entity, leaf in self._leaves(self.before.store.model):
            name = f"{entity}.{leaf.name}"
            found = [fate for fate in fates.get(name, []) if fate["kind"] != "computed"]
            if not found and any(fate["kind"] == "computed" for fate in fates.get(name, [])):
                continue
            if len(found) != 1:
                self.findings.add("receipt", f"{name} has {len(found)} fates")
                continue
            fate, old = found[0], self._values(self.before, leaf, entity)
            if len(fate["sources"]) > 1 or len(fate["destinations"]) > 1:
                continue
            self._equal(f"{name}: before", fate["before"], len(old))
            if not fate["destinations"]:
                self._equal(f"{name}: kind", fate["kind"], "lost")
                self._equal(f"{name}: lost", fate["lost"], len(old))
            else:
                self._check_pair(name, fate, entity, leaf, old)

    def _check_pair(self, name, fate, entity, leaf, old):
        destination, attribute = fate["destinations"][0].split(".", 1)
        self._equal(f"{name}: continues", self.goes_on.attributes(destination).get(attribute), leaf.name)
        self._equal(f"{name}: of", self.goes_on.source(destination), entity)
        new_leaf = self.after.store.model.leaf(destination, attribute)
        new = self._values(self.after, new_leaf, destination)
        if leaf.is_external != new_leaf.is_external:
            return
        is_converted = leaf.type != new_leaf.type
        kind = "converted" if is_converted else "renamed" if leaf.name != attribute else "kept"
        self._equal(f"{name}: kind", fate["kind"], kind)
        rooms = {
            marker: fits(value, new_leaf.type)
            for marker, value in old.items()
            if is_converted and {leaf.type, new_leaf.type} <= NUMBERS and isinstance(value, (int, float))
        }
        unfit = {marker for marker, room in rooms.items() if room == "no"}
        self._equal(f"{name}: after", fate["after"], len(new))
        self._equal(f"{name}: truncated", fate["truncated"], sum(room == "truncated" for room in rooms.values()))
        self._equal(f"{name}: out of range", fate["unfitting"], len(unfit))
        self._equal(f"{name}: lost", fate["lost"], len((old.keys() - new.keys()) | unfit))
        stand_ins = unfit if new_leaf.type != "Boolean" else set()
        filled = {marker for marker in new if marker not in old or marker in stand_ins}
        self._equal(f"{name}: filled", fate["filled"], len(filled))

    def _check_destinations(self, fates):
        for entity, leaf in self._leaves(self.after.store.model):
            name = f"{entity}.{leaf.name}"
            found = fates.get(name, [])
            if len(found) != 1:
                self.findings.add("receipt", f"{name} has {len(found)} fates")
            elif not found[0]["sources"]:
                if not leaf.derivation:
                    self._equal(f"{name}: kind", found[0]["kind"], "new")
                self._equal(f"{name}: after", found[0]["after"], len(self._values(self.after, leaf, entity)))
