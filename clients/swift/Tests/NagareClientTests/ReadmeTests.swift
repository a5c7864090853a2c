import Foundation
import Testing

/// The README's programs work as they are pasted.
@Suite struct ReadmeTests {
  private static let blocks = blocks(of: "swift")
  private static let said = [
    #"(.+\n){20}"#,
    #"50 false requestFinished\n.+\n'id' must be the id of a listed item.* \(-32602\) id the id of a listed item\n"#,
    "",
    #"Remove it\?\nRemove it\?\n\[0, 1, 3, 4\] Row 3 stays\n"#,
  ]

  @Test func `the first program has less than ten lines`() {
    #expect(ReadmeTests.blocks[0].split(separator: "\n").count < 10)
  }

  @Test func `no program is left out`() { #expect(ReadmeTests.blocks.count == ReadmeTests.said.count) }

  @Test(arguments: said.indices) func `a program works as pasted`(_ number: Int) throws {
    let folder = try Folder()
    if let configuration = ReadmeTests.blocks(of: "json").first { _ = try folder.write("rows.json", configuration) }
    try compile(ReadmeTests.blocks[number], in: folder)
    let said = try run(["./program"], in: folder)
    #expect(try Regex(ReadmeTests.said[number]).wholeMatch(in: said) != nil, "\(said)")
  }

  /// Builds a program of what is built already for the tests.
  private func compile(_ text: String, in folder: Folder) throws {
    let source = try folder.write("main.swift", text)
    let built = "\(Place.root)/.build/debug"
    let objects = try ["Flow", "WireJSON", "RPC", "Reactor", "Nagare", "NagareClient"].flatMap { module in
      let sources = try String(contentsOfFile: "\(built)/\(module).build/sources", encoding: .utf8)
      return sources.split(separator: "\n").map { "\(built)/\(module).build/\($0.split(separator: "/").last ?? "").o" }
    }
    let options = [
      "-swift-version", "6", "-warnings-as-errors", "-module-name", "Pasted", "-I", "\(built)/Modules", "-o", "program",
    ]
    _ = try run(["swiftc"] + options + [source] + objects, in: folder)
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
