"""The binary `elements` file of Xcode 3 and 4.0, a keyed archive, as the XML that later versions of Xcode write.

It shares no code with Strata. Only what version hashes depend on is read. Each value of an entity or property is the
`_default` of an object that one of its stereotypes names.
"""

import plistlib
import xml.etree.ElementTree as ElementTree

from hash_all import ATTRIBUTE_TYPES, ModelError

TYPE_NAMES = {number: name for name, number in ATTRIBUTE_TYPES.items()}

STEREOTYPES = "XDBucketForStereotypesstorage"
ATTRIBUTES = "XDBucketForOwnedAttributesstorage"


class Archive:
    def __init__(self, data):
        archive = plistlib.loads(data)
        self.objects = archive["$objects"]
        self.root = self.at(archive["$top"]["root"])

    def at(self, value):
        """The object that a reference leads to; None for the null object."""
        if isinstance(value, plistlib.UID):
            value = self.objects[value.data]
        return None if value == "$null" else value

    def kind(self, node):
        return self.at(node["$class"])["$classname"]

    def entries(self, node, key):
        """A dictionary of objects by name."""
        found = self.at(node.get(key))
        if found is None:
            return {}
        return {self.at(name): self.at(value) for name, value in zip(found["NS.keys"], found["NS.objects"])}

    def values(self, node):
        """The values of all stereotypes of an entity or property."""
        values = {}
        for stereotype in self.entries(node, STEREOTYPES).values():
            for key, value in self.entries(stereotype, ATTRIBUTES).items():
                values[key] = self.at(value.get("_default"))
        return values


def xml(data):
    """The model in an `elements` file, as XML."""
    archive = Archive(data)
    if archive.kind(archive.root) != "XDPMModel":
        raise ModelError(f"the archive holds a {archive.kind(archive.root)}, no model")
    model = ElementTree.Element("model")
    package = archive.at(archive.root["_xd_rootPackage"])
    for name, node in archive.entries(package, "XDBucketForClassesstorage").items():
        model.append(entity(archive, name, node))
    return ElementTree.tostring(model)


def entity(archive, name, node):
    values = archive.values(node)
    element = ElementTree.Element("entity", name=name)
    take(element, values, "isAbstract", "XD_PSK_isAbstract", yes_or_no)
    take(element, values, "versionHashModifier", "XD_PSK_versionHashModifier", str)
    parents = archive.at(node.get("XDBucketForGeneralizationsstorage"))
    for parent in parents["NS.objects"] if parents else []:
        general = archive.at(archive.at(parent)["_general"])
        element.set("parentEntity", archive.at(general["_name"]))
    for property_name, property_node in archive.entries(node, ATTRIBUTES).items():
        if archive.kind(property_node) == "XDPMAttribute":
            element.append(attribute(archive, property_name, property_node))
        elif archive.kind(property_node) == "XDPMRelationship":
            element.append(relationship(archive, property_name, property_node))
    return element


def attribute(archive, name, node):
    values = archive.values(node)
    element = common(ElementTree.Element("attribute", name=name), values)
    element.set("attributeType", TYPE_NAMES[int(values.get("XD_PAttK_attributeType") or 0)])
    key = "allowsExternalBinaryDataStorage"
    take(element, values, key, f"XD_PAttK_{key}", yes_or_no)
    return element


def relationship(archive, name, node):
    values = archive.values(node)
    element = common(ElementTree.Element("relationship", name=name), values)
    element.set("destinationEntity", archive.at(values["XD_PRK_destination"]["_name"]))
    take(element, values, "toMany", "XD_PRK_isToMany", yes_or_no)
    take(element, values, "ordered", "XD_PRK_ordered", yes_or_no)
    # Xcode 3 wrote a minCount of 1 for every to-one relationship, optional ones too, and it is hashed.
    take(element, values, "minCount", "XD_PRK_minCount", count)
    take(element, values, "maxCount", "XD_PRK_maxCount", count)
    inverse = values.get("XD_PRK_inverseRelationship")
    if inverse:
        element.set("inverseName", archive.at(inverse["_name"]))
        owner = archive.at(inverse.get("_owner"))
        if owner:
            element.set("inverseEntity", archive.at(owner["_name"]))
    return element


def common(element, values):
    take(element, values, "optional", "XD_PPSK_isOptional", yes_or_no)
    take(element, values, "transient", "XD_PPSK_isTransient", yes_or_no)
    take(element, values, "versionHashModifier", "XD_PPSK_versionHashModifier", str)
    return element


def take(element, values, name, key, form):
    if values.get(key) is not None:
        element.set(name, form(values[key]))


def yes_or_no(value):
    """Archived as a number, or as the text True."""
    return "YES" if str(value) in ("True", "true", "YES", "1") else "NO"


def count(value):
    return str(int(value))
