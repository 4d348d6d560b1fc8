internal import ArgumentParser
internal import StrataBase
internal import StrataEssentials
internal import StrataObjectModel
internal import StrataRendering

/// `write MODEL PATH [--current] [--force]`
struct Write: StrataCommand {
  static let configuration = CommandConfiguration.command(
    "write", abstract: "Writes a model as .xcdatamodel, or into an .xcdatamodeld.",
    discussion: """
      PATH is an .xcdatamodel; an existing or new version in a bundle (Topics.xcdatamodeld/Model6); or a whole \
      .xcdatamodeld. MODEL is any model: an edited copy (try:Model5), a compiled model, the cached model of a \
      store, or several models merged by +. Content that Strata does not interpret is written back unchanged.
      """)
  static let changesFiles = true
  static let examples = [
    CommandExample(
      "an edit as a new version", "samples --write .", "load Topics.xcdatamodeld",
      "try Model5.Topic add attribute rating attributeType='Integer 16' defaultValueString=0",
      "write try:Model5 Topics.xcdatamodeld/Model6 --current", "diff Model5 Model6"),
    CommandExample("a whole bundle", "write sample:Recipes Recipes.xcdatamodeld"),
  ]

  @Argument(.model, "The model, or a bundle.") var reference: String
  @Argument(.path, "The destination: an .xcdatamodel, a version of a bundle, or a bundle.")
  var path: String
  @Flag(help: "Make it the bundle's current version, also MODEL itself.") var current = false
  @Flag(help: "Overwrite existing versions of the same names; others are unchanged.") var force =
    false
  @OptionGroup var output: OutputOptions

  mutating func run(in session: Session) throws -> Outcome {
    let typed = path.hasSuffix("/") ? String(path.dropLast()) : path
    let trial =
      reference.hasPrefix(Session.trialPrefix)
      ? session.trialName(of: String(reference.dropFirst(Session.trialPrefix.count))) : nil
    if force, let trial { try session.checkOriginal(ofTrial: trial) }
    defer { trial.map(session.noteWritten) }
    let answer: Outcome
    if let parts = Self.parts(of: typed) {
      answer = try writeVersion(named: parts.version, intoBundle: parts.bundle, in: session)
    } else if typed.hasSuffix(Self.bundleExtension) {
      answer = try writeBundle(typed, in: session)
    } else if typed.hasSuffix(Self.versionExtension) {
      guard !current else { throw Self.usage("--current is for versions of a bundle") }
      let model = try session.model(reference)
      var writer = ModelFolderWriter()
      try writer.write(model.model.document, to: session.newPath(typed, as: .model, force: force))
      try writer.commit()
      answer = Outcome(
        .line("wrote " + StyledText(typed, .name) + StyledText(": \(Self.size(model))")),
        json: ["path": typed], warnings: Self.warnings([model]))
    } else {
      throw Self.usage(
        "\(path) is not a valid model name: it must end in .xcdatamodel or .xcdatamodeld")
    }
    return answer
  }

  private static let bundleExtension = BundleForm.source.bundleExtension
  private static let versionExtension = BundleForm.source.versionExtension

  /// The bundle and the name of the version at a path.
  private static func parts(of path: String) -> (bundle: String, version: String)? {
    guard let parts = BundleForm.parts(ofPath: path), parts.bundle.hasSuffix(bundleExtension) else {
      return nil
    }
    let isFile = parts.version.hasSuffix(versionExtension)
    return (
      parts.bundle,
      isFile ? String(parts.version.dropLast(versionExtension.count)) : parts.version
    )
  }

  private func writeVersion(
    named name: String, intoBundle bundle: String, in session: Session
  ) throws -> Outcome {
    try Self.checkVersionName(name)
    let model = try session.model(reference)
    let isThere = current && Self.parts(of: reference).map { $0 == (bundle, name) } == true
    let path = try session.newPath(
      "\(bundle)/\(name)\(Self.versionExtension)", as: .model, force: force || isThere)
    let bundlePath = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let before = try ModelBundle.existing(at: bundlePath)
    let currentName = current ? name : before?.currentVersionName ?? name
    var writer = ModelFolderWriter()
    if !isThere { try writer.write(model.model.document, to: path) }
    // A version that was current by default is now declared as current.
    if before?.declaredVersionName != currentName {
      writer.setCurrentVersion(currentName, ofBundle: bundlePath)
    }
    try writer.commit()
    let isCurrent = currentName == name
    return Outcome(
      .line(
        (isThere ? "" : "wrote ") + StyledText("\(bundle)/\(name)", .name)
          + StyledText(": \(Self.size(model)), ")
          + StyledText(
            isCurrent
              ? "now the current version" : "\(currentName) is still the current version")),
      json: ["path": bundle, "versions": [name], "current": currentName],
      warnings: isThere ? [] : Self.warnings([model]))
  }

  private func writeBundle(_ typed: String, in session: Session) throws -> Outcome {
    let models: [NamedModel]
    let currentName: String
    if let bundle = try session.wholeBundle(reference) {
      models = try bundle.versions.map {
        NamedModel(name: $0.name, model: try session.model(of: $0))
      }
      currentName = bundle.currentVersionName ?? ""
    } else {
      let model = try session.model(reference)
      models = [NamedModel(name: model.versionName, model: model.model)]
      currentName = model.versionName
    }
    for model in models { try Self.checkVersionName(model.name) }
    let path = try session.newPath(typed, as: .model, force: force)
    let before = try ModelBundle.existing(at: path)
    let others = (before?.versions ?? []).count { version in
      !models.contains { $0.name == version.name }
    }
    var writer = ModelFolderWriter()
    for model in models {
      let name = "\(model.name)\(Self.versionExtension)"
      try WrittenKind.model.check("\(path)/\(name)", typedAs: "\(typed)/\(name)")
      try writer.write(model.model.document, to: "\(path)/\(name)")
    }
    writer.setCurrentVersion(currentName, ofBundle: path)
    try writer.commit()
    return Outcome(
      .line(
        "wrote " + StyledText(typed, .name)
          + StyledText(": \(Phrase.count(models.count, "version"))")
          + StyledText(others == 0 ? "" : ", \(Phrase.count(others, "other")) unchanged")
          + StyledText(", current \(currentName)")),
      json: ["path": typed, "versions": models.map(\.name), "current": currentName],
      warnings: Self.warnings(models))
  }

  /// Checks the name of a version, which is a file name and is written to the XML of the current version.
  private static func checkVersionName(_ name: String) throws(Diagnostic) {
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control && !$0.properties.isNoncharacterCodePoint
    }
    guard !name.isEmpty, isPlain, !name.contains("/"), !name.hasPrefix(".") else {
      throw usage("\"\(name)\" cannot be the name of a version")
    }
  }

  /// Warnings of what the written models lack.
  private static func warnings(_ models: [NamedModel]) -> [Diagnostic] {
    models.compactMap { model in
      let names = model.model.document.origin.unreadFetchRequests
      guard !names.isEmpty else { return nil }
      return Diagnostic(
        id: "model.unreadFetchRequests", severity: .warning,
        what:
          "\(model.name) is written without the fetch requests \(Phrase.list(names)): those of a compiled model are not read",
        fix: "add them in Xcode; without them, hashes and migrations are the same")
    }
  }

  private static func size(_ model: NamedModel) -> String {
    Phrase.count(model.model.entities.count, "entity", "entities")
  }

  private static func usage(_ what: String) -> Diagnostic {
    Diagnostic(
      id: "command.usage", what: what,
      fix: "write it as `write Model1 New.xcdatamodel`, or `write Model1 App.xcdatamodeld/Model2`")
  }
}
