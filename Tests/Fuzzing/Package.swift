// swift-tools-version:6.2
import PackageDescription

/// The fuzz targets: a package of their own, since everything in it, and everything that it links,
/// is built with the sanitizers. `Scripts/fuzz` builds and runs it.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [.product(name: "StrataReaders", package: "Strata")],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")])
  ],
  swiftLanguageModes: [.v6]
)
