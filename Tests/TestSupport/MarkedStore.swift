import Foundation
import StrataBase
package import StrataCommands

/// A store whose every text, number, date and binary value is a marker, with models, mapping models and a
/// policy to migrate it: what must not show a value is asked about this one.
///
/// The folder has `Vault.xcdatamodeld` with `V1` (of the store), `V2` (which loses values) and `V3` (whose
/// rules the values break), `s.sqlite`, `x.xml`, `other.sqlite` with other values, and `gone.sqlite`, whose files
/// of binary data are missing.
package struct MarkedStore {
  package let folder: TemporaryFolder

  /// Parts of values in every form in which one could be printed, in small letters.
  package static let markers = [
    "geheim", "7731947", "2013-07-31", "396948679", "47656865696d", "r2vozwlt",
  ]

  /// Those of the markers that a text shows.
  package static func markers(in text: String) -> [String] {
    let small = text.lowercased()
    return markers.filter(small.contains)
  }

  /// Made once: every test has a copy.
  private static let template = Result { try create() }

  package init() throws {
    folder = try TemporaryFolder()
    let template = try Self.template.get()
    for name in try FileManager.default.contentsOfDirectory(atPath: template.url.path) {
      try FileManager.default.copyItem(atPath: template.path(name), toPath: folder.path(name))
    }
  }

  private static func create() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (version, secret) in [("V1", first), ("V2", second), ("V3", third)] {
      try folder.write(model(secret), to: "Vault.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(current, to: "Vault.xcdatamodeld/.xccurrentversion")
    try folder.write(policies, to: "Vault.policy")
    // Not beside the models: they are for those who name them.
    try folder.write(mapping("  policy Guard"), to: "maps/Guarded.mapping")
    try folder.write(mapping("  note = $source.text"), to: "maps/Computed.mapping")
    try folder.write(
      mapping("  number = CAST($source.text, 'NSNumber')"), to: "maps/Failing.mapping")
    try folder.write(String(repeating: "Geheimnis ", count: 20_000), to: "big.bin")
    try fill(folder)
    return folder
  }

  // MARK: Models

  private static let first = """
      <attribute name="text" optional="YES" attributeType="String"/>
      <attribute name="link" optional="YES" attributeType="URI"/>
      <attribute name="number" optional="YES" attributeType="Integer 64"/>
      <attribute name="real" optional="YES" attributeType="Double"/>
      <attribute name="amount" optional="YES" attributeType="Decimal"/>
      <attribute name="day" optional="YES" attributeType="Date"/>
      <attribute name="data" optional="YES" attributeType="Binary"/>
      <attribute name="file" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="ident" optional="YES" attributeType="UUID"/>
      <attribute name="note" optional="YES" attributeType="String"/>
    """
  private static let second =
    first
    .replacing("<attribute name=\"text\" optional=\"YES\" attributeType=\"String\"/>", with: "")
    .replacing("<attribute name=\"day\" optional=\"YES\" attributeType=\"Date\"/>", with: "")
    .replacing("Integer 64", with: "Integer 16").replacing("Double", with: "Integer 32")
  private static let third =
    first
    .replacing("name=\"note\"", with: "name=\"note\" maxValueString=\"3\"")
    .replacing("name=\"number\"", with: "name=\"number\" maxValueString=\"5\"")
    .replacing("name=\"day\"", with: "name=\"day\" maxDateTimeInterval=\"5\"")
    + "<attribute name=\"extra\" attributeType=\"String\"/>"

  private static func model(_ secret: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift">
      <entity name="Secret" representedClassName="Secret" syncable="YES">
    \(secret)
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Owner" inverseName="secrets" inverseEntity="Owner"/>
      </entity>
      <entity name="Owner" representedClassName="Owner" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="secrets" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Secret" inverseName="owner" inverseEntity="Secret"/>
      </entity>
    </model>
    """
  }

  private static let current = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>_XCCurrentVersionName</key><string>V3.xcdatamodel</string>
    </dict></plist>
    """

  private static let policies = """
    policy Guard
      in validation: require note == 'x', "wrong: \\(note), \\(number), \\(amount), \\(link)"

    """

  private static func mapping(_ line: String) -> String {
    """
    mapping from Vault.xcdatamodeld/V1 to Vault.xcdatamodeld/V2

    SecretToSecret: Secret -> Secret
    \(line)

    OwnerToOwner: Owner -> Owner

    """
  }

  // MARK: Stores

  private static func fill(_ folder: TemporaryFolder) throws {
    let session = TestSession(in: folder)
    // An XML store keeps no model.
    session("load Vault.xcdatamodeld")
    for name in ["s.sqlite", "other.sqlite", "gone.sqlite", "x.xml"] {
      let text = name == "other.sqlite" ? "Geheimakte" : "Geheimnis"
      for arguments in [
        ["create", name, "--model", "Vault.xcdatamodeld/V1"],
        ["insert", name, "Owner", "name=\(text)"],
        [
          "insert", name, "Secret", "text=\(text)",
          "link=https://geheim.example/Geheimnis", "number=7731947", "real=7731947.25",
          "amount=7731947.5", "day=2013-07-31T07:31:19Z", "data=0x47656865696d6e6973",
          "file=@big.bin", "ident=47656865-696D-6E69-7347-656865696D6E", "note=\(text)",
          "owner=\(name == "x.xml" ? "nil" : "p1")",
        ],
      ] {
        let evaluation = session(arguments: arguments)
        guard evaluation.status == .done else {
          throw StoreFixture.Failure(message: evaluation.output + evaluation.diagnostics)
        }
      }
    }
    try FileManager.default.removeItem(atPath: folder.path(".gone_SUPPORT"))
    try FileManager.default.removeItem(atPath: folder.path("big.bin"))
    for name in ["s", "other", "gone"] { try addOwnMetadata(folder.path("\(name).sqlite")) }
  }

  /// Gives the metadata keys of an application's own, by Python.
  private static func addOwnMetadata(_ path: String) throws {
    _ = try Python.run(
      """
      import datetime, plistlib, sqlite3, sys
      store = sqlite3.connect(sys.argv[1])
      entries = plistlib.loads(store.execute("select Z_PLIST from Z_METADATA").fetchone()[0])
      entries.update(
          ownText="Geheimnis", ownNumber=7731947, ownReal=7731947.25, ownData=b"Geheimnis",
          ownDate=datetime.datetime(2013, 7, 31), ownList=["Geheimnis", 7731947],
          ownTable={"inner": "Geheimnis", "deep": ["Geheimnis"]})
      store.execute("update Z_METADATA set Z_PLIST = ?", [plistlib.dumps(entries, fmt=plistlib.FMT_BINARY)])
      store.commit()
      """, arguments: [path])
  }

  // MARK: What commands have written

  /// The files of the folder that are no stores and none of the files that were there: documents, reports and
  /// traces, by name.
  package func writtenFiles() throws -> [String: String] {
    try folder.state().filter { name, _ in
      name != "x.xml"
        && [".md", ".strata", ".xml", ".jsonl", ".mapping"].contains(where: name.hasSuffix)
    }.mapValues { String(decoding: $0.bytes, as: UTF8.self) }
  }
}

/// A session in the folder of a marked store, which is there for as long as the session is.
package struct MarkedSession {
  package let store: MarkedStore
  private let session: TestSession

  /// - Parameter document: The name and the text of a file to be there.
  package init(document: (name: String, text: String)? = nil) throws {
    store = try MarkedStore()
    session = TestSession(in: store.folder)
    if let document { try store.folder.write(document.text, to: document.name) }
  }

  @discardableResult
  package func callAsFunction(_ line: String) -> Evaluation {
    withExtendedLifetime(store) { session(line) }
  }
}
