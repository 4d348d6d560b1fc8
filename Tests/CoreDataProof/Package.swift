// swift-tools-version:6.2
import PackageDescription

#if os(macOS)
  let excluded = ["StandIn.swift"]
#else
  let excluded = ["Framework.swift"]
#endif
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v5), .enableUpcomingFeature("BareSlashRegexLiterals"),
]

/// A package of its own: no other build refers to it.
let package = Package(
  name: "CoreDataProof", platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(name: "core-data-proof", exclude: excluded, swiftSettings: settings)
  ])
