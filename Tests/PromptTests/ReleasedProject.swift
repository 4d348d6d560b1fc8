import Foundation
import TestSupport

/// A repository with a bundle whose version `App 1` was released as v1.0.
struct ReleasedProject {
  let repository: GitFixture

  init(in folder: TemporaryFolder? = nil, name: String = "") throws {
    repository = try GitFixture(in: folder, name: name)
    try write(version: "App 1", ["name", "color"])
    try repository.commit()
    try repository.git("tag", "v1.0")
  }

  static func contents(_ version: String) -> String {
    "App.xcdatamodeld/\(version).xcdatamodel/contents"
  }

  /// Writes a version whose entity Card has these attributes; a version that is new becomes the current one.
  ///
  /// - Parameter more: Further attributes of the XML of each.
  func write(version name: String, _ attributes: [String], more: String = "") throws {
    let file = Self.contents(name)
    if !FileManager.default.fileExists(atPath: "\(repository.path)/\(file)") {
      try repository.write(
        "<plist><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>",
        to: "App.xcdatamodeld/.xccurrentversion")
    }
    let elements = attributes.map {
      #"<attribute name="\#($0)" optional="YES" attributeType="String" \#(more)/>"#
    }
    try repository.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Card" representedClassName="Card">
          \(elements.joined(separator: "\n    "))
        </entity>
      </model>

      """, to: file)
  }
}
