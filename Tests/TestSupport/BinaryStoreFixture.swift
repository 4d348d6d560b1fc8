import Foundation

/// Binary stores that Python writes, with the rows that must be read from them: the second road to both.
package enum BinaryStoreFixture {
  /// Writes `App.xcdatamodeld` with the version V1, whose store it is, and V2, to which it migrates.
  package static func writeModel(in folder: TemporaryFolder) throws {
    for (name, change) in [
      ("V1", ""), ("V2", #"<attribute name="pages" optional="YES" attributeType="Integer 32"/>"#),
    ] {
      try folder.write(
        "<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">"
          + entities.replacingOccurrences(of: "<!-- new -->", with: change) + "</model>",
        to: "App.xcdatamodeld/\(name).xcdatamodel/contents")
    }
  }

  private static let entities = """
    <entity name="Item" isAbstract="YES">
      <attribute name="Zone" optional="YES" attributeType="Integer 16"/>
      <attribute name="name" attributeType="String"/>
    </entity>
    <entity name="Book" parentEntity="Item">
      <attribute name="big" optional="YES" attributeType="Integer 64"/>
      <attribute name="cache" optional="YES" transient="YES" attributeType="String"/>
      <attribute name="color" optional="YES" attributeType="Transformable"/>
      <attribute name="cover" optional="YES" attributeType="Binary"/>
      <attribute name="id" optional="YES" attributeType="UUID"/>
      <attribute name="isLent" optional="YES" attributeType="Boolean"/><!-- new -->
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <attribute name="printed" optional="YES" attributeType="Date"/>
      <attribute name="rank" optional="YES" attributeType="Integer 32"/>
      <attribute name="ratio" optional="YES" attributeType="Double"/>
      <attribute name="site" optional="YES" attributeType="URI"/>
      <attribute name="weight" optional="YES" attributeType="Float"/>
      <relationship name="shelf" optional="YES" maxCount="1" destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>
    </entity>
    <entity name="Shelf" parentEntity="Item">
      <relationship name="books" optional="YES" toMany="YES" ordered="YES" destinationEntity="Book" inverseName="shelf" inverseEntity="Book"/>
    </entity>
    <entity name="Tag">
      <attribute name="word" optional="YES" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/>
    </entity>
    """

  /// Writes `<fault>.dat` for each fault, `lonely.dat` with a link of one end, `good.dat` without a fault, and gives the rows of `good.dat` by
  /// entity, as `rows --json` prints them, but for transformable values.
  ///
  /// - Parameter hashes: Of V1, by entity, in hexadecimal.
  package static func write(
    in folder: TemporaryFolder, hashes: [String: String]
  ) throws -> [String: [[String: Any]]] {
    let input = try JSONSerialization.data(withJSONObject: hashes)
    let output = try Python.run(
      program, arguments: [folder.url.path], input: String(decoding: input, as: UTF8.self))
    return try JSONSerialization.jsonObject(with: Data(output.utf8))
      as? [String: [[String: Any]]] ?? [:]
  }

  /// What is wrong with each damaged store, and a word of the error that tells it.
  package static let faults = [
    ("short", "truncated"), ("headless", "truncated"), ("version", "format version"),
    ("far", "outside the file"), ("overlap", "overlap"), ("uid", "out of range"),
    ("cycle", "nested more than"), ("shared", "exceeds the limit"), ("links", "exceeds the limit"),
    ("class", "NSDictionaryMapNode"), ("key", "a different key"),
    ("twice", "two objects have this key"),
    ("negative", "not a number from 1 to 2^60"), ("dangling", "does not exist"),
    ("entity", "concrete entity Film"), ("abstract", "concrete entity Item"),
    ("count", "has 2 values"),
    ("type", "should be a String, and is integer"),
    ("nan", "weight should be a Float, and is not a number"), ("wrong", "refers to a Tag"),
    ("many", "is to-one"), ("name", "no relationship owner"), ("text", "invalid object key"),
    ("uuid", "NSStoreUUID is missing"),
  ]

  private static let program = #"""
    import datetime, json, plistlib, struct, sys
    folder, hashes, U = sys.argv[1], json.load(sys.stdin), plistlib.UID
    LINEAGE = {"NSMutableArray": ["NSArray"], "NSMutableDictionary": ["NSDictionary"],
               "NSMutableData": ["NSData"], "NSMutableString": ["NSString"],
               "NSDictionaryMapNode": ["NSStoreMapNode"], "NSDecimalNumber": ["NSNumber", "NSValue"]}
    EPOCH = datetime.datetime(2001, 1, 1)

    class Obj:
        def __init__(self, name, values): self.name, self.values = name, values
    def data(b): return Obj("NSMutableData", {"NS.data": b})
    def url(s): return Obj("NSURL", {"NS.base": None, "NS.relative": s})
    def uuid(b): return Obj("NSUUID", {"NS.uuidbytes": b})
    def date(d): return Obj("NSDate", {"NS.time": (d - EPOCH).total_seconds()})
    def decimal(mantissa, exponent, negative):
        return Obj("NSDecimalNumber", {"NS.mantissa": mantissa.to_bytes(16, "little"), "NS.mantissa.bo": 1,
            "NS.exponent": exponent, "NS.negative": negative, "NS.compact": True,
            "NS.length": (mantissa.bit_length() + 15) // 16})

    class Archive:
        def __init__(self): self.objects, self.known = ["$null"], {}
        def put(self, o):
            self.objects.append(o)
            return U(len(self.objects) - 1)
        def once(self, key, make):
            if key not in self.known: self.known[key] = self.put(make())
            return self.known[key]
        def cls(self, name):
            return self.once("class " + name, lambda: {"$classname": name,
                "$classes": [name] + LINEAGE.get(name, []) + ["NSObject"]})
        def add(self, v):
            if isinstance(v, U): return v
            if v is None: return self.once("null", lambda: {"$class": self.cls("NSNull")})
            if isinstance(v, dict):
                return self.put({"NS.keys": [self.add(k) for k in v], "NS.objects": [self.add(x) for x in v.values()],
                                 "$class": self.cls("NSMutableDictionary")})
            if isinstance(v, list):
                return self.put({"NS.objects": [self.add(x) for x in v], "$class": self.cls("NSArray")})
            if isinstance(v, Obj):
                values = {k: self.inline(k, x) for k, x in v.values.items()}
                return self.put({**values, "$class": self.cls(v.name)})
            return self.put(v)
        def inline(self, key, v):
            if v is None: return U(0)
            return v if isinstance(v, (bool, int, float)) or key in ("NS.data", "NS.uuidbytes", "NS.string") else self.add(v)
        def dump(self, **top):
            return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver",
                "$top": top, "$objects": self.objects}, fmt=plistlib.FMT_BINARY)

    VALUES = {"Book": ["Zone", "big", "color", "cover", "id", "isLent", "name", "price", "printed", "rank",
                       "ratio", "site", "weight"], "Shelf": ["Zone", "name"], "Tag": ["word"]}
    RELATED = {"Book": ["shelf", "tags"], "Shelf": ["books"], "Tag": ["books"]}
    ID = bytes(range(16))
    DAY = datetime.datetime(2024, 2, 29, 12, 30)
    # Entity, values, links; a value is what the archive holds, and what the row shows.
    OBJECTS = {
        11: ("Shelf", {"name": "top", "Zone": -3}, {"books": [23, 21]}),
        12: ("Shelf", {"name": ""}, {}),
        21: ("Book", {"name": (Obj("NSMutableString", {"NS.string": "Änderung 🏔"}), "Änderung 🏔"),
            "Zone": 32767, "big": -2**63, "color": {"red": 1.0, "parts": [1, "a"]},
            "cover": (data(bytes(300)), {"bytes": 300}),
            "id": (uuid(ID), "00010203-0405-0607-0809-0A0B0C0D0E0F"), "isLent": True,
            "price": (decimal(1999, -2, False), 19.99), "printed": (date(DAY), "2024-02-29T12:30:00Z"),
            "rank": 7, "ratio": 0.1, "site": (url("https://example.org/a?b"), "https://example.org/a?b"),
            "weight": 0.800000011920929}, {"shelf": [11], "tags": [31, 32]}),
        22: ("Book", {"name": "nothing"}, {"tags": [32]}),
        23: ("Book", {"name": "$null", "isLent": (0, False), "price": (decimal(2**100, 3, True), -float(2**100 * 1000)),
            "cover": (b"inline", {"bytes": 6}), "ratio": (3, 3.0),
            "printed": (date(datetime.datetime(1999, 12, 31)), "1999-12-31T00:00:00Z"),
            "rank": (5.0, 5)}, {"shelf": [11]}),
        31: ("Tag", {"word": "old"}, {"books": [21]}),
        32: ("Tag", {}, {"books": [21, 22]}),
    }
    def pick(v, side): return v[side] if isinstance(v, tuple) else v

    def store(fault):
        a = Archive()
        keys, nodes = [], []
        null_text = Obj("NSMutableString", {"NS.string": "$null"})
        for key, (entity, values, links) in OBJECTS.items():
            if fault == "nan" and key == 21: values = {**values, "weight": float("nan")}
            if fault == "type" and key == 21: values = {**values, "name": 5}
            items = [pick(values.get(n), 0) for n in VALUES[entity]]
            items = [null_text if i == "$null" else i for i in items]
            if fault == "count" and key == 31: items = ["a", "b"]
            links = dict(links)
            if fault == "lonely" and key == 21: del links["shelf"]
            if key == 22:
                if fault == "dangling": links["shelf"] = [99]
                if fault == "wrong": links["shelf"] = [31]
                if fault == "many": links["shelf"] = [11, 12]
                if fault == "name": links["owner"] = [11]
                if fault == "text": links["shelf"] = ["11"]
                if fault == "entity": entity = "Film"
                if fault == "abstract": entity = "Item"
            node = {"NSEntityName": entity, "NSPrimaryKey64": key + (fault == "key" and key == 22),
                    "NSAttributeValues": items}
            if fault == "links" and key == 22:
                big = a.put({"NS.objects": [a.add(31)] * 40000, "$class": a.cls("NSArray")})
                links = {"r%d" % i: big for i in range(60)}
            if links: node["NSRelatedNodes"] = links
            keys.append(a.add(-key if fault == "negative" else key))
            nodes.append(a.add(Obj("NSArray" if fault == "class" and key == 22 else "NSDictionaryMapNode", node)))
        if fault == "twice": keys.append(keys[-1]); nodes.append(nodes[-1])
        if fault == "uid": nodes[0] = U(100000)
        objects = a.dump(mapData=a.put({"NS.keys": keys, "NS.objects": nodes, "$class": a.cls("NSDictionary")}))
        m = Archive()
        entries = {"NSStoreType": "Binary", "NSStoreUUID": "AAAAAAAA-0000-4000-8000-0000000000B1",
            "NSPersistenceFrameworkVersion": 1152, "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionIdentifiers": [""], "Opened": date(DAY), "Link": url("x:y"),
            "NSStoreModelVersionHashes": {k: bytes.fromhex(v) for k, v in hashes.items()}}
        if fault == "uuid": del entries["NSStoreUUID"]
        if fault == "cycle":
            loop = m.put({"NS.objects": [], "$class": m.cls("NSArray")})
            m.objects[loop.data]["NS.objects"].append(loop)
            entries["Loop"] = loop
        if fault == "shared":
            inner = m.add([1] * 10)
            for _ in range(12): inner = m.add([inner] * 10)
            entries["Shared"] = inner
        metadata = m.dump(metadata=m.add(entries))
        start = 64 + len(objects)
        header = [start, len(metadata), 64, len(objects), 32, 0]
        if fault == "far": header[2] = 2**64 - 8
        if fault == "overlap": header[3] += 1
        head = b"CoreData" + struct.pack(">II", 1, 0x08040801 if fault == "version" else 0x08040800)
        whole = head + struct.pack(">6Q", *header) + objects + metadata
        return whole[:-1] if fault == "short" else whole[:40] if fault == "headless" else whole

    FAULTS = """short headless version far overlap uid cycle shared links class key twice negative dangling
        entity abstract count type nan wrong many name text uuid""".split()
    for fault in ["good", "lonely"] + FAULTS:
        with open(folder + "/" + fault + ".dat", "wb") as f: f.write(store(fault))

    def uri(key): return "x-coredata://AAAAAAAA-0000-4000-8000-0000000000B1/%s/p%d" % (OBJECTS[key][0], key)
    rows = {}
    for key, (entity, values, links) in OBJECTS.items():
        row = {"objectID": uri(key)}
        for n in VALUES[entity]:
            if n != "color": row[n] = pick(values.get(n), 1)
        for n in RELATED[entity]:
            found = [uri(k) for k in links.get(n, [])]
            row[n] = found if n != "shelf" else found[0] if found else None
        rows.setdefault(entity, []).append(row)
    print(json.dumps(rows))
    """#
}
