"""Models to mutate that need no file from elsewhere: one with every element, and compiled forms."""

import plistlib
from plistlib import UID
from xml.etree import ElementTree

EVERYTHING = b"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="2">
    <entity name="Place" representedClassName=".Place" isAbstract="YES" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String" minValueString="1" maxValueString="40" regularExpressionString="[a-z]+" spotlightIndexingEnabled="YES">
            <userInfo>
                <entry key="k" value="v"/>
            </userInfo>
        </attribute>
        <attribute name="upper" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(name)"/>
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="people.@count" usesScalarValueType="YES"/>
        <attribute name="where" optional="YES" attributeType="Composite" composite="Coordinate"/>
        <attribute name="picture" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="colour" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData" customClassName="Colour"/>
        <attribute name="price" attributeType="Decimal" defaultValueString="0.0"/>
        <attribute name="founded" attributeType="Date" defaultDateTimeInterval="599616000" usesScalarValueType="NO"/>
        <attribute name="key" attributeType="UUID" defaultValueString="374C5961-3E41-43E5-915C-383EA914074C"/>
        <attribute name="page" optional="YES" attributeType="URI"/>
        <relationship name="people" optional="YES" toMany="YES" minCount="1" maxCount="9" deletionRule="Deny" ordered="YES" destinationEntity="Person" inverseName="places" inverseEntity="Person"/>
        <fetchedProperty name="recent" optional="YES">
            <fetchRequest name="fetchedPropertyFetchRequest" entity="Place" predicateString="name != nil"/>
        </fetchedProperty>
        <fetchIndex name="byName">
            <fetchIndexElement property="name" type="Binary" order="descending"/>
            <fetchIndexElement expression="lowercase:(name)" type="Binary" order="ascending"/>
        </fetchIndex>
        <compoundIndexes>
            <compoundIndex>
                <index value="name"/>
                <index value="price"/>
            </compoundIndex>
        </compoundIndexes>
        <uniquenessConstraints>
            <uniquenessConstraint>
                <constraint value="name"/>
                <constraint value="key"/>
            </uniquenessConstraint>
        </uniquenessConstraints>
    </entity>
    <entity name="Town" representedClassName="Town" parentEntity="Place" elementID="City" versionHashModifier="7" codeGenerationType="class">
        <attribute name="isCapital" attributeType="Boolean" defaultValueString="NO" usesScalarValueType="YES"/>
        <relationship name="twin" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Town" inverseName="twin" inverseEntity="Town"/>
    </entity>
    <entity name="Person" representedClassName="Person" syncable="YES">
        <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="0" minValueString="0" maxValueString="150" versionHashModifier="m" elementID="years"/>
        <attribute name="note" optional="YES" transient="YES" attributeType="String"/>
        <relationship name="places" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Place" inverseName="people" inverseEntity="Place"/>
        <relationship name="friends" optional="YES" toMany="YES" deletionRule="No Action" destinationEntity="Person"/>
    </entity>
    <fetchRequest name="All" entity="Person" predicateString="age &gt; 3" fetchLimit="5"/>
    <configuration name="Main">
        <memberEntity name="Person"/>
        <memberEntity name="Town"/>
    </configuration>
    <composite name="Coordinate">
        <attribute name="latitude" optional="YES" attributeType="Double" defaultValueString="0.0"/>
        <attribute name="longitude" optional="YES" attributeType="Float" defaultValueString="0.0"/>
    </composite>
    <elements>
        <element name="Place" positionX="-54" positionY="0" width="128" height="73"/>
    </elements>
</model>
"""

CURRENT_VERSION = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>_XCCurrentVersionName</key>
	<string>{}.xcdatamodel</string>
</dict>
</plist>
"""

TYPES = {
    "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400, "Double": 500,
    "Float": 600, "String": 700, "Boolean": 800, "Date": 900, "Binary": 1000, "UUID": 1100,
    "URI": 1200, "Transformable": 1800, "Composite": 2100,
}  # fmt: skip
DELETE_RULES = {"No Action": 0, "Nullify": 1, "Cascade": 2, "Deny": 3}


class _Archive:
    """The `$objects` of a keyed archive."""

    def __init__(self):
        self.objects = ["$null"]
        self.known = {}

    def reserve(self):
        self.objects.append(None)
        return UID(len(self.objects) - 1)

    def plain(self, value):
        if value is None:
            return UID(0)
        key = type(value), value
        if key not in self.known:
            self.known[key] = self.reserve()
            self.objects[-1] = value
        return self.known[key]

    def instance(self, name, place=None, **values):
        place = place or self.reserve()
        if name not in self.known:
            self.known[name] = self.reserve()
            self.objects[-1] = {"$classname": name, "$classes": [name, "NSObject"]}
        self.objects[place.data] = values | {"$class": self.known[name]}
        return place

    def dictionary(self, entries):
        return self.instance(
            "NSMutableDictionary",
            **{
                "NS.keys": [self.plain(key) for key in entries],
                "NS.objects": list(entries.values()),
            },
        )

    def collection(self, name, elements):
        return self.instance(name, **{"NS.objects": list(elements)})


def compiled(contents):
    """The archive that a compiled model holds, of a model in XML."""
    model = ElementTree.fromstring(contents)
    archive = _Archive()
    root = archive.reserve()
    entities = {entity.get("name"): archive.reserve() for entity in model.iter("entity")}
    composites = {composite.get("name"): composite for composite in model.iter("composite")}
    for entity in model.iter("entity"):
        name = entity.get("name")
        properties = {
            part.get("name"): _property(archive, part, entities, composites)
            for part in entity
            if part.tag in ("attribute", "relationship")
        }
        tuples = [
            archive.collection(
                "NSArray", (archive.plain(part.get("value")) for part in constraint)
            )
            for constraint in entity.iter("uniquenessConstraint")
        ]
        archive.instance(
            "NSEntityDescription",
            place=entities[name],
            NSEntityName=archive.plain(name),
            NSClassNameForEntity=archive.plain(entity.get("representedClassName")),
            NSSuperentity=entities.get(entity.get("parentEntity"), UID(0)),
            NSIsAbstract=entity.get("isAbstract") == "YES",
            NSProperties=archive.dictionary(properties),
            NSRenamingIdentifier=archive.plain(entity.get("elementID", name)),
            NSVersionHashModifier=archive.plain(entity.get("versionHashModifier")),
            NSUserInfo=archive.dictionary({}),
            NSUniqueTuples=archive.collection("NSArray", tuples),
        )
    identifier = archive.plain(model.get("userDefinedModelVersionIdentifier", ""))
    archive.instance(
        "NSManagedObjectModel",
        place=root,
        NSEntities=archive.dictionary(entities),
        NSVersionIdentifiers=archive.collection("NSSet", [identifier]),
    )
    return plistlib.dumps(
        {
            "$archiver": "NSKeyedArchiver",
            "$version": 100000,
            "$objects": archive.objects,
            "$top": {"root": root},
        },
        fmt=plistlib.FMT_BINARY,
    )


def _property(archive, part, entities, composites):
    common = {
        "NSPropertyName": archive.plain(part.get("name")),
        "NSIsOptional": part.get("optional") == "YES",
        "NSIsTransient": part.get("transient") == "YES",
        "NSRenamingIdentifier": archive.plain(part.get("elementID", part.get("name"))),
        "NSVersionHashModifier": archive.plain(part.get("versionHashModifier")),
    }
    if part.tag == "relationship":
        return archive.instance(
            "NSRelationshipDescription",
            **common,
            NSDestinationEntity=entities[part.get("destinationEntity")],
            _NSInverseRelationshipName=archive.plain(part.get("inverseName")),
            NSMaxCount=0 if part.get("toMany") == "YES" else 1,
            NSMinCount=int(part.get("minCount", 0)),
            NSIsOrdered=part.get("ordered") == "YES",
            NSDeleteRule=DELETE_RULES[part.get("deletionRule", "Nullify")],
        )
    kind = "NSAttributeDescription"
    common["NSAttributeType"] = TYPES[part.get("attributeType")]
    common["NSDefaultValue"] = archive.plain(part.get("defaultValueString"))
    common["NSFlagsKey"] = 4 if part.get("allowsExternalBinaryDataStorage") == "YES" else 0
    if part.get("derivationExpression"):
        kind = "NSDerivedAttributeDescription"
        path = archive.instance(
            "NSKeyPathSpecifierExpression", NSKeyPath=archive.plain("people.@count")
        )
        common["NSDerivationExpression"] = archive.instance(
            "NSKeyPathExpression", NSArguments=archive.collection("NSArray", [path])
        )
    composite = composites.get(part.get("composite"))
    if composite is not None:
        kind = "NSCompositeAttributeDescription"
        common["NSCompositeElements"] = archive.collection(
            "NSArray", [_property(archive, element, entities, composites) for element in composite]
        )
    return archive.instance(kind, **common)
