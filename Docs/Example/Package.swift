// swift-tools-version:6.2
import PackageDescription

// A team's own strata: the whole program, with the policies that its mapping models name.
let package = Package(
  name: "recipes",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Strata", path: "../..")],
  targets: [
    .executableTarget(
      name: "recipes", dependencies: [.product(name: "StrataKit", package: "Strata")])
  ],
  swiftLanguageModes: [.v6]
)
