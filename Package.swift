// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every target: Swift 6 and the features of the language to come, memory safety
/// spelled out where it is left, and no warning that nobody reads.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  // For the spans of arrays, which Apple's systems lack before version 26: `Sources/WireJSON/Spans.swift`.
  .enableExperimentalFeature("Lifetimes", .when(platforms: [.macOS, .iOS])),
]

/// Tests are built with what they test, which is optimized. Where they don't go through millions of orders themselves, that
/// would only take time; so would the compiler's second run for a module file, which nobody imports.
let unoptimized: [SwiftSetting] = [
  .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [], areMany: Bool = false
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
    swiftSettings: settings + (areMany ? [] : unoptimized))
}

let package = Package(
  name: "nagare",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .executable(name: "nagare", targets: ["NagareProgram"]),
    .executable(name: "nagare-http", targets: ["NagareHTTP"]),
    .library(name: "Nagare", targets: ["Nagare"]),
    .library(name: "Paging", targets: ["Paging"]),
    .library(name: "PageSources", targets: ["PageSources"]),
    .library(name: "Screens", targets: ["Screens"]),
    .library(name: "FlowTesting", targets: ["FlowTesting"]),
    .library(name: "NagareTesting", targets: ["NagareTesting"]),
    .library(name: "NagareClient", targets: ["NagareClient"]),
  ],
  targets: [
    library("Flow"),
    library("FlowTesting", ["Flow"]),
    library("Randomness"),
    library("WireJSON"),
    library("RPC", ["WireJSON"]),
    library("ItemList", ["WireJSON"]),
    library("Paging", ["Flow", "WireJSON", "ItemList"]),
    library("CLibrary"),
    .target(
      name: "Reactor", dependencies: ["CLibrary", "Flow"], swiftSettings: settings,
      // Its main queue holds what the main actor is to run.
      linkerSettings: [.linkedLibrary("dispatch", .when(platforms: [.linux]))]),
    library("Nagare", ["Flow", "WireJSON", "RPC", "ItemList", "Paging", "Reactor"]),
    library("NagareTesting", ["FlowTesting", "Nagare"]),
    library("PageSources", ["Flow", "WireJSON", "RPC", "ItemList", "Paging", "Reactor", "Randomness"]),
    library("Screens", ["Nagare", "Paging"]),
    library("HTTPSettings", ["WireJSON"]),
    library(
      "NagareCommand",
      ["Flow", "WireJSON", "RPC", "Reactor", "Nagare", "PageSources", "Paging", "Screens", "HTTPSettings"]),
    .executableTarget(name: "NagareProgram", dependencies: ["NagareCommand"], swiftSettings: settings),
    .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
    .executableTarget(
      name: "NagareHTTP",
      dependencies: [
        "CCurl", "Flow", "WireJSON", "RPC", "ItemList", "Paging", "Randomness", "Reactor", "HTTPSettings",
      ],
      swiftSettings: settings),
    .executableTarget(name: "ArticlesExample", dependencies: ["Nagare"], swiftSettings: settings),
    .executableTarget(name: "ChatExample", dependencies: ["Nagare", "Screens"], swiftSettings: settings),
    library("TicketExample", ["Nagare"]),
    .executableTarget(
      name: "TrackerExample", dependencies: ["Nagare", "PageSources"], exclude: ["tracker.py", "tracker.sql"],
      swiftSettings: settings),
    // In this package, because a package in a folder of a repository can't be a dependency, and because an app that shares
    // types with its server needs one package for both.
    .target(
      name: "NagareClient", dependencies: ["Nagare", "Reactor", "RPC"], path: "clients/swift/Sources/NagareClient",
      swiftSettings: settings),
    .testTarget(
      name: "NagareClientTests", dependencies: ["ArticlesExample", "NagareClient", "Randomness", "Reactor"],
      path: "clients/swift/Tests/NagareClientTests", swiftSettings: settings + unoptimized),
    tests("Flow", ["FlowTesting", "Randomness"]),
    tests("FlowTesting", ["Flow"]),
    tests("WireJSON", ["Fuzzing", "ItemList", "Randomness"]),
    tests("RPC", ["WireJSON", "Paging", "Randomness"], areMany: true),
    tests("ItemList", ["WireJSON", "Randomness"], areMany: true),
    tests(
      "Paging", ["Flow", "FlowTesting", "ItemList", "LetterPages", "Nagare", "RPC", "Randomness", "WireJSON"],
      areMany: true),
    tests("Reactor", ["Flow"]),
    tests("Nagare", ["Flow", "FlowTesting", "WireJSON", "RPC", "Reactor", "Randomness"]),
    tests("NagareTesting", ["Flow", "FlowTesting", "Nagare", "TicketExample"]),
    tests("PageSources", ["Flow", "FlowTesting", "WireJSON", "RPC", "ItemList", "Paging", "Reactor", "Randomness"]),
    tests("Screens", ["Flow", "FlowTesting", "LetterPages", "Nagare", "Paging", "RPC", "Randomness", "WireJSON"]),
    .target(
      name: "LetterPages", dependencies: ["Nagare", "Paging", "RPC", "WireJSON"], path: "Tests/LetterPages",
      swiftSettings: settings),
    .executableTarget(
      name: "MainActorProgram", dependencies: ["Nagare"], path: "Tests/Process/MainActorProgram",
      swiftSettings: settings),
    tests("HTTPSettings", ["WireJSON"]),
    tests("NagareCommand", ["Paging", "WireJSON"]),
    tests("NagareHTTP", ["Flow", "FlowTesting", "Paging", "Randomness", "WireJSON", "RPC", "HTTPSettings"]),
    tests("ArticlesExample", ["FlowTesting", "Nagare", "NagareTesting"], exclude: ["Transcripts"]),
    tests("TicketExample", ["FlowTesting", "Nagare", "NagareTesting"]),
    tests("ChatExample", ["FlowTesting", "Nagare"]),
    tests("TrackerExample", ["FlowTesting", "Nagare"]),
    tests("Fuzzing"),
    .target(
      name: "Fuzzing",
      dependencies: ["Flow", "WireJSON", "RPC", "Reactor", "Nagare", "NagareCommand", "Randomness"],
      path: "Tests/Fuzzing/Targets",
      swiftSettings: settings),
    .executableTarget(
      name: "Fuzz", dependencies: ["Fuzzing", "Reactor"], path: "Tests/Fuzzing/Program", swiftSettings: settings),
    .target(name: "ResidentMemory", path: "Tests/Benchmarks/ResidentMemory", swiftSettings: settings),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "Flow", "WireJSON", "RPC", "Reactor", "Nagare", "PageSources", "Paging", "Screens", "Randomness",
        "ResidentMemory",
      ],
      path: "Tests/Benchmarks/Cases",
      swiftSettings: settings),
    .executableTarget(
      name: "ClientBenchmark", dependencies: ["NagareClient", "ResidentMemory"], path: "Tests/Benchmarks/Client",
      swiftSettings: settings),
  ]
)
