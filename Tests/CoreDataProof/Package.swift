// swift-tools-version:6.2
import PackageDescription

#if os(macOS)
  let otherSystem = "StandIn.swift"
#else
  let otherSystem = "Framework.swift"
#endif

/// A package of its own: no other build refers to it.
let package = Package(
  name: "CoreDataProof", platforms: [.macOS(.v15)],
  targets: [
    .executableTarget(
      name: "core-data-proof", exclude: [otherSystem],
      swiftSettings: [.swiftLanguageMode(.v5), .enableUpcomingFeature("BareSlashRegexLiterals")])
  ])
