import Foundation
import StrataBase
import StrataObjectModel
import StrataStore
import TestSupport
import Testing

@Suite("A binary store of Core Data", .needsCorpus)
struct BinaryStoreTests {
  static let document = "screenflow-binary/ScreenFlowDocument.dat"

  /// What Python's plistlib finds in the archives: metadata, objects and links, and a model that could have
  /// written them, in which attributes are named by their places.
  private struct Expected: Decodable {
    var uuid: String
    var framework: Int64
    var digest: String
    var hashes: [String: String]
    var counts: [String: Int]
    var model: String
    /// By `Entity.attribute` and key, values that are numbers or texts.
    var numbers: [String: Double]
    var texts: [String: String]
    /// By `Entity.relationship` and key.
    var links: [String: [Int64]]
  }

  private static func expected() throws -> Expected {
    let output = try Python.run(program, arguments: [Corpus.path(document)])
    return try JSONDecoder().decode(Expected.self, from: Data(output.utf8))
  }

  @Test("metadata, digest and counts are those that Python reads")
  func metadata() throws {
    let expected = try Self.expected()
    let store = try BinaryStore(reading: Corpus.path(Self.document))
    #expect(store.metadata.uuid == expected.uuid && store.metadata.type == "Binary")
    #expect(store.metadata.frameworkVersion == expected.framework)
    #expect(store.metadata.versionHashes.mapValues(\.hex) == expected.hashes)
    #expect(store.metadata.digest == expected.digest)
    #expect(store.metadata.versionHashes.versionDigest == expected.digest)
    for entity in expected.hashes.keys {
      #expect(store.count(of: entity) == expected.counts[entity] ?? 0, "\(entity)")
    }
  }

  @Test("with a model of as many attributes, every value and link is the one that Python reads")
  func values() throws {
    let expected = try Self.expected()
    let model = try ObjectModel(ModelDocument(reading: Array(expected.model.utf8)))
    let store = try BinaryStore(reading: Corpus.path(Self.document)).inMemoryStore(of: model)
    let reader = try StoreReader(store, model: model)
    var (numbers, texts, links) = ([String: Double](), [String: String](), [String: [Int64]]())
    for entity in model.entityNames {
      guard let shape = reader.shape(of: entity) else { continue }
      try reader.forEachRow(of: entity) { row in
        for (name, value) in zip(shape.names, row.values) where shape.isAttribute(name) {
          switch value {
          case .integer(let number): numbers["\(entity).\(name) \(row.key)"] = Double(number)
          case .real(let number): numbers["\(entity).\(name) \(row.key)"] = number
          case .text(let text): texts["\(entity).\(name) \(row.key)"] = text
          case .bytes(let bytes): numbers["\(entity).\(name) \(row.key)"] = Double(bytes.first ?? 0)
          case .null: break
          }
        }
        for relationship in model.allRelationships(of: entity) {
          let targets = try reader.destinations(of: relationship, from: row.key)
          if !targets.isEmpty {
            links["\(entity).\(relationship.property.name) \(row.key)"] = targets
          }
        }
      }
    }
    #expect(numbers == expected.numbers)
    #expect(texts == expected.texts)
    #expect(links == expected.links)
    #expect(numbers.count > 50 && texts.count > 5 && links.count == 2)
  }

  /// Of data and of archived objects only the first byte is compared: that of `bplist00` for the latter.
  private static let program = #"""
    import json, plistlib, struct, sys
    data = open(sys.argv[1], "rb").read()
    m, ml, o, ol = struct.unpack(">4Q", data[16:48])
    def parts(b, key):
        archive = plistlib.loads(b)
        return archive["$objects"], archive["$top"][key]
    objects, top = parts(data[o:o + ol], "mapData")
    def name(v): return objects[v["$class"].data]["$classname"] if isinstance(v, dict) and "$class" in v else ""
    def at(u): return objects[u.data]
    def pairs(v, read=at): return [(read(k), read(x)) for k, x in zip(v["NS.keys"], v["NS.objects"])]
    out = {"counts": {}, "numbers": {}, "texts": {}, "links": {}}
    columns, ends = {}, {}
    kinds = {k: at(n["NSEntityName"]) for k, n in pairs(at(top))}
    for key, node in pairs(at(top)):
        entity = kinds[key]
        out["counts"][entity] = out["counts"].get(entity, 0) + 1
        types = columns.setdefault(entity, {})
        for i, u in enumerate(at(node["NSAttributeValues"])["NS.objects"]):
            v, label = at(u), "%s.a%03d %d" % (entity, i, key)
            kind = "String"
            if isinstance(v, bool): kind, out["numbers"][label] = "Integer 64", int(v)
            elif isinstance(v, int): kind, out["numbers"][label] = "Integer 64", v
            elif isinstance(v, float): kind, out["numbers"][label] = "Double", v
            elif isinstance(v, str): out["texts"][label] = v
            elif isinstance(v, bytes): kind, out["numbers"][label] = "Binary", v[0]
            elif name(v) == "NSMutableString": out["texts"][label] = v["NS.string"]
            elif name(v) == "NSDate": kind, out["numbers"][label] = "Date", v["NS.time"]
            elif name(v) == "NSMutableData": kind, out["numbers"][label] = "Binary", v["NS.data"][0]
            elif name(v) != "NSNull": kind, out["numbers"][label] = "Transformable", ord("b")
            if name(v) != "NSNull" or i not in types:
                # Numbers that are whole in one object need not be in another.
                types[i] = "Double" if {kind, types.get(i)} == {"Double", "Integer 64"} else kind
        if "NSRelatedNodes" in node:
            for n, us in pairs(at(node["NSRelatedNodes"])):
                targets = [at(u) for u in us["NS.objects"]]
                out["links"]["%s.%s %d" % (entity, n, key)] = sorted(targets)
                ends[entity, n] = kinds[targets[0]]
    def inverse(e, n): return next((m for (f, m), d in ends.items() if f == ends[e, n] and d == e), None)
    model = "<model>"
    for entity in sorted(columns):
        model += '<entity name="%s">' % entity
        for i, t in sorted(columns[entity].items()):
            model += '<attribute name="a%03d" optional="YES" attributeType="%s"/>' % (i, t)
        for (e, n), d in sorted(ends.items()):
            if e != entity: continue
            back, count = inverse(e, n), 'maxCount="1"' if n == "source" else 'toMany="YES"'
            model += '<relationship name="%s" optional="YES" %s destinationEntity="%s"' % (n, count, d)
            model += ' inverseName="%s" inverseEntity="%s"/>' % (back, d) if back else "/>"
        model += "</entity>"
    out["model"] = model + "</model>"
    objects, top = parts(data[m:m + ml], "metadata")
    meta = dict(pairs(at(top)))
    out["uuid"], out["framework"] = meta["NSStoreUUID"], meta["NSPersistenceFrameworkVersion"]
    out["digest"] = meta["NSStoreModelVersionHashesDigest"]
    out["hashes"] = {k: v.hex() for k, v in pairs(meta["NSStoreModelVersionHashes"])}
    print(json.dumps(out))
    """#
}

extension StoreRowShape {
  fileprivate func isAttribute(_ name: String) -> Bool {
    guard let index = index(of: name), case .attribute = contents[index] else { return false }
    return true
  }
}
