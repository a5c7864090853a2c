import Foundation
import Testing

/// Checks that the README's programs work as pasted.
@Suite struct ReadmeTests {
  private static let blocks = blocks(of: "swift")
  private static let packages = blocks.filter { $0.hasPrefix("// swift-tools-version") }
  /// The files of one package. Each begins with its path.
  private static let files = blocks.filter { $0.hasPrefix("// Sources/") }
  private static let programs = blocks.filter { !$0.hasPrefix("//") }
  private static let said = [
    #"(.+\n){20}"#,
    #"50 false requestFinished\n.+\n'id' must be the id of a listed item.* \(-32602\) id the id of a listed item\n"#,
    #"60\n"#,
    #"[0-9]+ true true\n.+\n"#,
    #"Remove it\?\nRemove it\?\n\[0, 1, 3, 4\] Row 3 stays\n"#,
    #"\[2, 1, 0\]\n"#,
  ]

  @Test func `the first program has less than ten lines`() {
    #expect(ReadmeTests.programs[0].split(separator: "\n").count < 10)
  }

  @Test func `every program of the readme is tested`() { #expect(ReadmeTests.programs.count == ReadmeTests.said.count) }

  @Test(arguments: said.indices) func `every program of the readme works as pasted`(_ number: Int) throws {
    let folder = try Folder()
    for (name, configuration) in zip(["rows.json", "ticks.json"], ReadmeTests.blocks(of: "json")) {
      _ = try folder.write(name, configuration)
    }
    try compile(ReadmeTests.programs[number], to: "program", in: folder)
    let said = try run(["./program"], in: folder)
    #expect(try Regex(ReadmeTests.said[number]).wholeMatch(in: said) != nil, "\(said)")
  }

  @Test func `an app and its server share a module`() throws {
    let folder = try Folder()
    let (files, shared) = (ReadmeTests.files, ["-I", ".", "Shared.o"])
    try #require(files.count == 3)
    _ = try folder.write("Shared.swift", files[0])
    let module = ["-module-name", "Shared", "-parse-as-library", "-emit-module", "-emit-object", "-o", "Shared.o"]
    _ = try run(["swiftc"] + options + module + ["Shared.swift"], in: folder)
    _ = try run(["mkdir", "-p", ".build/debug"], in: folder)
    try compile(files[1], to: ".build/debug/server", with: shared, in: folder)
    try compile(files[2], to: "app", with: shared, in: folder)
    #expect(try run(["./app"], in: folder) == "3\n")
  }

  @Test(arguments: packages) func `every package of the readme is valid`(_ text: String) throws {
    let folder = try Folder()
    _ = try folder.write("Package.swift", text)
    #expect(try run(["swift", "package", "dump-package"], in: folder).contains("NagareClient"))
  }

  private let built = Place.built
  private var options: [String] { ["-swift-version", "6", "-warnings-as-errors", "-I", "\(built)/Modules"] }

  /// Compiles a program with the modules that were built for the tests.
  private func compile(_ text: String, to program: String, with more: [String] = [], in folder: Folder) throws {
    let source = try folder.write("main.swift", text)
    let objects = try [
      "Flow", "WireJSON", "ItemList", "RPC", "Paging", "Reactor", "Nagare", "NagareClient",
    ].flatMap {
      module in
      let sources = try String(contentsOfFile: "\(built)/\(module).build/sources", encoding: .utf8)
      return sources.split(separator: "\n").map { "\(built)/\(module).build/\($0.split(separator: "/").last ?? "").o" }
    }
    // The libraries that Package.swift links Reactor with.
    let libraries = ["-ldispatch"]
    _ = try run(
      ["swiftc"] + options + ["-module-name", "Pasted", "-o", program, source] + more + objects + libraries, in: folder)
  }

  private func run(_ command: [String], in folder: Folder) throws -> String {
    let (process, output, errors) = (Process(), Pipe(), try folder.write("errors", ""))
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(filePath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] =
      "\(URL(filePath: Place.nagare).deletingLastPathComponent().path()):\(environment["PATH"] ?? "")"
    process.environment = environment
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(filePath: errors))
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let words = try folder.read("errors")
    try #require(process.terminationStatus == 0, "\(said)\(words)")
    return said
  }

  private static func blocks(of language: String) -> [String] {
    let data = (try? Data(contentsOf: URL(filePath: "\(Place.root)/clients/swift/README.md"))) ?? Data()
    return String(decoding: data, as: UTF8.self).components(separatedBy: "```\(language)\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }
}
