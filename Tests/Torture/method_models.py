"""A model of every kind of number that a store holds, and two versions that follow it. None keeps data in files
of its own: a store is all there is of a mutant.

Each is a description as `Tests/Oracle` reads it, from which the XML is made.
"""

import copy
from xml.etree import ElementTree


def _attribute(name, type_, is_optional=True, default=None, old_name=None):
    return {
        "name": name, "type": type_, "isOptional": is_optional, "default": default, "oldName": old_name,
    }  # fmt: skip


def _relationship(name, destination, inverse, is_to_many=False, is_ordered=False):
    return {
        "name": name, "destination": destination, "inverse": inverse, "isToMany": is_to_many,
        "isOrdered": is_ordered, "isOptional": True,
    }  # fmt: skip


def _entity(name, attributes, relationships, parent=None):
    return {"name": name, "parent": parent, "attributes": attributes, "relationships": relationships}


FIRST = {
    "entities": [
        _entity(
            "Animal",
            [
                _attribute("born", "Date"),
                _attribute("legs", "Integer 16", is_optional=False),
                _attribute("name", "String", is_optional=False),
                _attribute("photo", "Binary"),
                _attribute("price", "Decimal"),
                _attribute("weight", "Double"),
            ],
            [
                _relationship("owner", "Person", "pets"),
                _relationship("tags", "Tag", "animals", is_to_many=True, is_ordered=True),
                _relationship("twin", "Animal", "twin"),
            ],
        ),
        _entity("Cat", [_attribute("lives", "Integer 32")], [], parent="Animal"),
        _entity("Dog", [_attribute("isGood", "Boolean")], [], parent="Animal"),
        _entity("House", [_attribute("number", "Integer 64")], [_relationship("keeper", "Person", "house")]),
        _entity(
            "Person",
            [_attribute("age", "Integer 16"), _attribute("height", "Float"), _attribute("key", "UUID")],
            [
                _relationship("favourite", "Animal", None),
                _relationship("house", "House", "keeper"),
                _relationship("pets", "Animal", "owner", is_to_many=True, is_ordered=True),
            ],
        ),
        _entity(
            "Tag",
            [_attribute("label", "String")],
            [
                _relationship("animals", "Animal", "tags", is_to_many=True),
                _relationship("related", "Tag", None, is_to_many=True, is_ordered=True),
            ],
        ),
    ]
}


def _found(model, entity, name=None):
    entity = next(found for found in model["entities"] if found["name"] == entity)
    return next(found for found in entity["attributes"] if found["name"] == name) if name else entity


def _small_step():
    """Nothing gets another number: tables are altered."""
    model = copy.deepcopy(FIRST)
    _found(model, "Animal")["attributes"].append(_attribute("colour", "String", default="grey"))
    _found(model, "House", "number").update(isOptional=False, default="7")
    return model


def _large_step():
    """Every entity gets another number, and every table is made anew."""
    model = _small_step()
    _found(model, "Animal")["attributes"].remove(_found(model, "Animal", "weight"))
    _found(model, "Animal", "legs").update(type="Integer 32")
    _found(model, "Person", "age").update(name="years", oldName="age")
    _found(model, "Tag")["attributes"].append(_attribute("rank", "Integer 16", is_optional=False, default="3"))
    _found(model, "House")["attributes"].remove(_found(model, "House", "number"))
    model["entities"].insert(0, _entity("Aardvark", [_attribute("name", "String")], []))
    return model


def _part(model, names):
    """The entities of these names, and the relationships among them."""
    entities = [copy.deepcopy(entity) for entity in model["entities"] if entity["name"] in names]
    for entity in entities:
        entity["relationships"] = [found for found in entity["relationships"] if found["destination"] in names]
    return {"entities": entities}


VERSIONS = {"First": FIRST, "Small": _small_step(), "Large": _large_step()}
# The whole, and parts that are migrated in half the time: a hierarchy with links between many, and links of one.
FAMILIES = {"roads": VERSIONS} | {
    name: {version: _part(model, entities | {"Aardvark"}) for version, model in VERSIONS.items()}
    for name, entities in (("tags", {"Animal", "Cat", "Tag"}), ("owners", {"Animal", "House", "Person"}))
}


def contents(model, identifier):
    """The XML of a model."""
    root = ElementTree.Element(
        "model", type="com.apple.IDECoreDataModeler.DataModel", documentVersion="1.0",
        userDefinedModelVersionIdentifier=identifier,
    )  # fmt: skip
    for entity in model["entities"]:
        element = ElementTree.SubElement(root, "entity", name=entity["name"], representedClassName=entity["name"])
        if entity["parent"]:
            element.set("parentEntity", entity["parent"])
        for attribute in entity["attributes"]:
            keys = {
                "optional": "YES" if attribute["isOptional"] else "NO", "attributeType": attribute["type"],
                "defaultValueString": attribute["default"], "elementID": attribute["oldName"],
            }  # fmt: skip
            _add(element, "attribute", attribute["name"], keys)
        for relationship in entity["relationships"]:
            keys = {
                "optional": "YES", "deletionRule": "Nullify", "destinationEntity": relationship["destination"],
                "toMany": "YES" if relationship["isToMany"] else None,
                "maxCount": None if relationship["isToMany"] else "1",
                "ordered": "YES" if relationship["isOrdered"] else None,
                "inverseName": relationship["inverse"],
                "inverseEntity": relationship["destination"] if relationship["inverse"] else None,
            }  # fmt: skip
            _add(element, "relationship", relationship["name"], keys)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _add(parent, tag, name, keys):
    ElementTree.SubElement(parent, tag, name=name, **{key: text for key, text in keys.items() if text is not None})


BUNDLE = {
    f"good/Roads.xcdatamodeld/{name}.xcdatamodel/contents": contents(model, name)
    for name, model in VERSIONS.items()
}
