"""Where Core Data puts the objects of a model: numbers, tables and columns, by hand-written rules.

A model is a description in JSON, see `Tests/TestSupport/OracleModel.swift`:

    {"entities": [{"name", "parent", "isAbstract", "attributes", "relationships", "constraints"}],
     "composites": {name: [attribute]}}
"""

from dataclasses import dataclass

INTEGERS = {"Integer 16", "Integer 32", "Integer 64", "Boolean"}
BLOBS = {"UUID", "Transformable", "Binary"}
STORED = INTEGERS | BLOBS | {"Decimal", "Double", "Float", "Date", "String", "URI"}


@dataclass(frozen=True)
class Relationship:
    """As the entity `owner` declares it."""

    owner: str
    name: str
    destination: str
    is_to_many: bool
    is_ordered: bool
    is_optional: bool
    inverse: str | None

    def __str__(self):
        return f"{self.owner}.{self.name}"


# The columns of an entity stand in blocks of types, inside a block by name (facts on the SQLite schema, 5.3).
BLOCKS = {
    "Integer 16": (0, 0), "Integer 32": (0, 0), "Integer 64": (0, 0), "Boolean": (0, 0),
    "Double": (1, 0), "Float": (1, 0), "Date": (1, 0), "Decimal": (2, 0), "String": (3, 0), "URI": (4, 0),
    "UUID": (5, 0), "Transformable": (5, 1), "Binary": (5, 2),
}  # fmt: skip
TO_ONE_BLOCK = (0, 1)


@dataclass(frozen=True)
class Leaf:
    """An attribute that has a column: its own, or an element of a composite."""

    owner: str
    # The attribute of the entity, then the elements within.
    path: tuple
    type: str
    is_optional: bool
    is_external: bool
    derivation: str | None

    @property
    def name(self):
        return self.path[-1]


@dataclass(frozen=True)
class Storage:
    """Where the pairs of a relationship stand, as its own end sees them."""

    table: str
    own: str
    other: str
    order: str | None = None
    inverse_order: str | None = None
    is_join: bool = False


class Model:
    def __init__(self, description):
        self.entities = {entity["name"]: entity for entity in description["entities"]}
        self.composites = description.get("composites", {})
        self.parents = {name: entity.get("parent") for name, entity in self.entities.items()}
        self.children = {name: [] for name in self.entities}
        for name, parent in self.parents.items():
            if parent:
                self.children[parent].append(name)
        self.order = []
        for root in self._sorted(name for name, parent in self.parents.items() if not parent):
            self._number(root)
        self.numbers = {name: place for place, name in enumerate(self.order, start=1)}
        self.relationships = {
            name: {
                value["name"]: Relationship(
                    name, value["name"], value["destination"], value["isToMany"], value["isOrdered"],
                    value["isOptional"], value.get("inverse"),
                )
                for value in entity["relationships"]
                if not value.get("isTransient")
            }
            for name, entity in self.entities.items()
        }  # fmt: skip
        self.leaves = {name: self._leaves_of(name) for name in self.entities}
        self._place_columns()

    # Entities.

    @staticmethod
    def _sorted(names):
        return sorted(names, key=lambda name: (name.lower(), name.encode()))

    def _number(self, name):
        """Each entity at once followed by those below it."""
        self.order.append(name)
        for child in self._sorted(self.children[name]):
            self._number(child)

    def lineage(self, name):
        """The entity and its ancestors, the nearest first."""
        while name:
            yield name
            name = self.parents[name]

    def root(self, name):
        return list(self.lineage(name))[-1]

    def family(self, name):
        """The entity and all below it."""
        return [name] + [below for child in self.children[name] for below in self.family(child)]

    def is_abstract(self, name):
        return bool(self.entities[name].get("isAbstract"))

    def table(self, name):
        return "Z" + self.root(name).upper()

    def tables(self):
        """The table of each root entity."""
        return {self.table(name): name for name in self.order if not self.parents[name]}

    def family_numbers(self, name):
        return {self.numbers[entity] for entity in self.family(name)}

    def named(self, number):
        place = number - 1 if isinstance(number, int) else -1
        return self.order[place] if 0 <= place < len(self.order) else None

    # Properties.

    def _leaves_of(self, name):
        found = []
        for attribute in self.entities[name]["attributes"]:
            if not attribute.get("isTransient"):
                found += self._leaves(name, attribute, ())
        return found

    def _leaves(self, owner, attribute, path):
        path += (attribute["name"],)
        if attribute["type"] == "Composite":
            for element in self.composites[attribute["composite"]]:
                yield from self._leaves(owner, element, path)
        elif attribute["type"] in STORED:
            yield Leaf(
                owner, path, attribute["type"], attribute["isOptional"], attribute.get("isExternal", False),
                attribute.get("derivation"),
            )  # fmt: skip

    def all_leaves(self, name):
        return [leaf for owner in self.lineage(name) for leaf in self.leaves[owner]]

    def leaf(self, name, attribute):
        """The plain attribute that an entity has or inherits; `None` for a composite one."""
        for leaf in self.all_leaves(name):
            if leaf.path == (attribute,):
                return leaf

    def all_relationships(self, name):
        return [found for owner in self.lineage(name) for found in self.relationships[owner].values()]

    def relationship(self, name, entity):
        for owner in self.lineage(entity):
            if name in self.relationships[owner]:
                return self.relationships[owner][name]

    def inverse(self, relationship):
        if relationship.inverse:
            return self.relationship(relationship.inverse, relationship.destination)

    def declared(self):
        """All relationships, each by the entity that declares it."""
        return [found for name in self.order for found in self.relationships[name].values()]

    def is_many_to_many(self, relationship):
        inverse = self.inverse(relationship)
        return relationship.is_to_many and inverse is not None and inverse.is_to_many

    # Columns.

    def _place_columns(self):
        """Attributes and to-one relationships share the names of a table: the first one in the order of the
        columns, entity by entity, has the bare one, the next a number behind it."""
        self.columns = {}
        used = {table: {"Z_PK", "Z_ENT", "Z_OPT"} for table in self.tables()}
        for name in self.order:
            wanted = []
            for leaf in self.leaves[name]:
                wanted.append(((BLOCKS[leaf.type], leaf.path[0].encode()), leaf, leaf.name.upper()))
            for found in self.relationships[name].values():
                if not found.is_to_many:
                    wanted.append(((TO_ONE_BLOCK, found.name.encode()), found, found.name.upper()))
            # A composite stands at its own place, its elements in their order.
            wanted.sort(key=lambda entry: entry[0])
            for owner in self.order:
                for found in sorted(self.relationships[owner].values(), key=lambda found: found.name.encode()):
                    if found.destination == name and found.is_to_many and not self.inverse(found):
                        wanted.append((None, found, f"{self.numbers[owner]}{found.name.upper()}"))
            for _, what, text in wanted:
                column, number = "Z" + text, 0
                while column in used[self.table(name)]:
                    number += 1
                    column = f"Z{text}{number}"
                used[self.table(name)].add(column)
                self.columns[what] = column

    def order_column(self, relationship):
        """Keeps the place of a row in the ordered relationship that its key belongs to."""
        if relationship.is_to_many:
            is_ordered = relationship.is_ordered
        else:
            inverse = self.inverse(relationship)
            is_ordered = inverse is not None and inverse.is_ordered
        return "Z_FOK_" + self.columns[relationship][1:] if is_ordered else None

    def entity_column(self, relationship):
        """Keeps the number of the entity that a to-one relationship leads to."""
        if relationship.is_to_many or not self.children[relationship.destination]:
            return None
        return f"Z{self.numbers[relationship.destination]}_" + self.columns[relationship][1:]

    def storage(self, relationship, found):
        """Where its pairs stand.

        `found`: the columns of each table of the store. They tell which end of a relation owns a join table, and
        which number a name bears that two relationships share.
        """
        if not relationship.is_to_many:
            return Storage(
                self.table(relationship.owner), "Z_PK", self.columns[relationship],
                inverse_order=self.order_column(relationship),
            )  # fmt: skip
        inverse = self.inverse(relationship)
        if inverse is None:
            return Storage(
                self.table(relationship.destination), self.columns[relationship], "Z_PK",
                order=self.order_column(relationship),
            )  # fmt: skip
        if not inverse.is_to_many:
            return Storage(
                self.table(inverse.owner), self.columns[inverse], "Z_PK", order=self.order_column(inverse)
            )
        return self._join(relationship, inverse, found)

    def join_names(self, relationship):
        """The names that its join table may have: the right one first.

        The entity whose name sorts first owns the table; of a relation within one entity either end may.
        """
        inverse = self.inverse(relationship)
        ends = sorted([relationship, inverse], key=lambda end: (end.owner.encode(), end.name.encode()))
        return [f"Z_{self.numbers[end.owner]}{end.name.upper()}" for end in ends]

    def _join(self, relationship, inverse, found):
        name = next((name for name in self.join_names(relationship) if name in found), None)
        if name is None:
            return None
        columns = found[name]
        if relationship == inverse:
            own = f"Z_{self.numbers[relationship.owner]}{relationship.name.upper()}"
            return Storage(name, own, "REFLEXIVE", is_join=True)
        # Each column is called after the entity that its keys are of and the relationship at the other end.
        own = _numbered(f"Z_{self.numbers[relationship.owner]}{inverse.name.upper()}", columns)
        other = _numbered(f"Z_{self.numbers[inverse.owner]}{relationship.name.upper()}", columns)
        if own is None or other is None:
            return None
        return Storage(
            name, own, other, "Z_FOK_" + other[2:] if relationship.is_ordered else None,
            "Z_FOK_" + own[2:] if inverse.is_ordered else None, is_join=True,
        )  # fmt: skip


def _numbered(name, columns):
    """The column of that name, or with a number behind it."""
    for column in columns:
        if column == name or column.startswith(name) and column[len(name) :].isdigit():
            return column
