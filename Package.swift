// swift-tools-version:6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A layer of Strata: a module in `Sources/<name>`, called `Strata<name>` so that it clashes with
/// nothing a team links beside it.
struct Layer {
  var name: String
  /// Layers that stand above this row in the table below.
  var needs: [String]
  var libraries: [Target.Dependency] = []
  var linked: [LinkerSetting] = []
  /// Folders of files that `CTexts` makes part of the program.
  var texts: [String] = []
  /// Whether `Tests/<name>Tests` exists.
  var hasTests = true
}

/// One row per module, bottom first: a row may need only rows above it.
let layers: [Layer] = [
  Layer(name: "Essentials", needs: [], hasTests: false),
  Layer(name: "Base", needs: [], libraries: ["CSystem", "CTexts"]),
  // What policies in Swift are written with: all that a team may rely on.
  Layer(name: "Policy", needs: ["Base"]),
  Layer(
    name: "Archives", needs: ["Base"],
    libraries: ["CDigests", "CExpat", "CSystem", "CZlib"],
    linked: [.linkedLibrary("md", .when(platforms: [.linux]))]),
  // Linked by name: Swift's ICU is part of the toolchain of Linux.
  Layer(
    name: "Expressions", needs: ["Base"],
    linked: [.linkedLibrary("_FoundationICU", .when(platforms: [.linux]))]),
  Layer(name: "Rendering", needs: ["Base", "Archives"]),
  Layer(name: "Git", needs: ["Base", "Archives"]),
  Layer(
    name: "ObjectModel", needs: ["Base", "Archives", "Expressions"]),
  Layer(
    name: "SQLite", needs: ["Base", "Archives"],
    libraries: ["CSQLite"], hasTests: false),
  Layer(
    name: "Store",
    needs: [
      "Base", "Archives", "Expressions", "ObjectModel", "SQLite",
    ],
    libraries: ["CSQLite", "CSystem"]),
  Layer(
    name: "Mapping", needs: ["Base", "Archives", "Expressions", "ObjectModel"]),
  // What checks migrations shares nothing with what does them: see `Scripts/check-layers`.
  Layer(name: "Witness", needs: ["Base", "Expressions", "ObjectModel", "SQLite", "Mapping"]),
  Layer(
    name: "Migration",
    needs: [
      "Base", "Policy", "Expressions", "ObjectModel", "SQLite", "Store",
      "Mapping", "Witness",
    ]),
  Layer(
    name: "Stepping",
    needs: [
      "Base", "Expressions", "ObjectModel", "SQLite", "Store",
      "Mapping",
      "Migration",
    ]),
  Layer(
    name: "Samples", needs: ["Base", "ObjectModel", "SQLite", "Store"],
    texts: ["Lessons/Texts", "Files"]),
  Layer(name: "Notebook", needs: ["Base", "Archives"]),
  Layer(
    name: "Pages", needs: ["Base", "Archives", "Rendering"],
    texts: ["Assets"], hasTests: false),
  Layer(
    name: "Commands",
    needs: [
      "Base", "Archives", "Expressions", "Rendering",
      "ObjectModel", "SQLite", "Store", "Mapping", "Migration", "Stepping", "Samples",
      "Notebook", "Pages", "Git",
    ],
    libraries: [
      "CRelease", .product(name: "ArgumentParser", package: "swift-argument-parser"), "TOMLKit",
    ],
    texts: ["Texts"]),
  Layer(
    name: "Terminal", needs: ["Base", "Archives", "Rendering"], libraries: ["CEditline"],
    hasTests: false
  ),
  Layer(
    name: "Prompt",
    needs: [
      "Base", "Archives", "Rendering", "SQLite", "Store", "Migration",
      "Commands",
      "Terminal",
    ],
    hasTests: false),
]

/// A library of the system. On macOS pkg-config would find those of other package managers.
func library(_ name: String, config: String, debian: String) -> Target {
  #if os(Linux)
    return .systemLibrary(name: name, pkgConfig: config, providers: [.apt([debian])])
  #else
    return .systemLibrary(name: name)
  #endif
}

func module(_ layer: String) -> Target.Dependency { .target(name: "Strata" + layer) }

let package = Package(
  name: "Strata",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "strata", targets: ["strata"]),
    .library(name: "StrataKit", targets: ["StrataKit"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    // Reads the configuration of `check`.
    .package(url: "https://github.com/LebJe/TOMLKit", .upToNextMinor(from: "0.6.0")),
  ],
  targets: [
    library("CSQLite", config: "sqlite3", debian: "libsqlite3-dev"),
    library("CEditline", config: "libedit", debian: "libedit-dev"),
    library("CExpat", config: "expat", debian: "libexpat1-dev"),
    // SHA-2: part of the C library of macOS, and of what libedit needs elsewhere.
    .systemLibrary(name: "CDigests", providers: [.apt(["libmd-dev"])]),
    // No library: calls of the system that Swift cannot write.
    .systemLibrary(name: "CSystem"),
    library("CZlib", config: "zlib", debian: "zlib1g-dev"),
    // The version and the commit.
    .target(name: "CRelease"),
    // The texts that the program contains.
    .target(name: "CTexts"),
    // Nothing is called in it: it prepares the start of every program that links the library.
    .target(name: "CStartup"),
    .target(
      name: "StrataKit",
      dependencies: ["Policy", "Migration", "Prompt"].map(module) + ["CStartup"],
      swiftSettings: strict),
    .executableTarget(name: "strata", dependencies: ["StrataKit"], swiftSettings: strict),
    // What `Scripts/benchmark` measures of the library itself.
    .executableTarget(
      name: "store-benchmark",
      dependencies: ["Base", "ObjectModel", "SQLite", "Store"].map(module),
      path: "Tests/Benchmarks/StoreBenchmark", swiftSettings: strict),
    .executableTarget(
      name: "migration-benchmark",
      dependencies: [
        "Base", "Expressions", "Mapping", "Migration", "ObjectModel", "Policy", "SQLite",
        "Stepping", "Store", "Witness",
      ].map(module),
      path: "Tests/Benchmarks/MigrationBenchmark", swiftSettings: strict),
    // The package of Docs/Example, built with the tests so that it keeps working.
    .executableTarget(
      name: "example", dependencies: ["StrataKit"], path: "Docs/Example/Sources/recipes",
      packageAccess: false),
    .target(
      name: "TestSupport",
      dependencies: ["CSQLite"] + layers.map { module($0.name) },
      path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(
      name: "SessionTests",
      dependencies: ["Commands", "Base", "Notebook", "Rendering"].map(module) + [
        "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["Sessions"], swiftSettings: strict),
    // They type into the program itself.
    .testTarget(
      name: "PromptTests", dependencies: ["strata", "TestSupport"], exclude: ["Sessions"],
      swiftSettings: strict),
    .testTarget(
      name: "CorpusTests", dependencies: ["TestSupport"] + layers.map { module($0.name) },
      exclude: ["Sessions"],
      swiftSettings: strict),
  ]
    + layers.map { layer in
      .target(
        name: "Strata" + layer.name,
        dependencies: layer.needs.map(module) + layer.libraries
          + (layer.name == "Essentials" ? [] : [module("Essentials")]),
        path: "Sources/" + layer.name, exclude: layer.texts, swiftSettings: strict,
        linkerSettings: layer.linked)
    }
    + layers.filter(\.hasTests).map { layer in
      .testTarget(
        name: layer.name + "Tests",
        dependencies: layer.needs.map(module) + layer.libraries + [
          module(layer.name), "TestSupport",
        ],
        swiftSettings: strict)
    },
  swiftLanguageModes: [.v6]
)

// The fuzz targets, which `Scripts/fuzz` builds with sanitizers. They lack a `main`: libFuzzer has it.
if Context.environment["STRATA_FUZZING"] != nil {
  package.targets.append(
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "Archives", "Base", "Expressions", "Mapping", "Migration", "Notebook", "ObjectModel",
        "SQLite", "Store",
      ].map(module) + ["CSQLite"],
      path: "Tests/Fuzzing", swiftSettings: strict))
}
