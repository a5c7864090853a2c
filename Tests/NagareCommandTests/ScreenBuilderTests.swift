import Flow
import Nagare
import Reactor
import Testing

@testable import NagareCommand

@Suite struct ScreenBuilderTests {
  private func service(_ words: String...) throws -> Service {
    let service = Service(clock: VirtualScheduler())
    let loop = try EventLoop()
    var sources = SourceFactory(for: service, on: loop)
    try ScreenBuilder(Arguments(words), on: loop).addScreens(to: service, &sources)
    return service
  }

  private func builder(_ words: String...) throws -> ScreenBuilder {
    try ScreenBuilder(Arguments(words), on: EventLoop())
  }

  /// A file that exists.
  private let file = #filePath

  @Test func `the default has a screen of each kind, and a file has a list with its detail`() throws {
    #expect(
      try service().screenNames == ["items", "detail", "articles", "genres", "shops", "profile", "offers"])
    #expect(try service("--file", file).screenNames == ["items", "detail"])
  }

  @Test func `the list has the demo's items, or those of the file with its id`() throws {
    guard case .demo? = try builder().configuration.sources["items"],
      case .file(let keyed)? = try builder("--file", file, "--id", "key").configuration.sources["items"],
      case .file(let plain)? = try builder("--file", file).configuration.sources["items"]
    else {
      Issue.record("other sources are served")
      return
    }
    #expect(keyed.path == file && keyed.id == "key" && plain.id == "id")
  }

  @Test func `an unreadable configuration is an error`() {
    #expect(throws: ConfigurationError.self) { try builder("--config", "/nowhere/c.json") }
  }

  @Test func `a file of the command line that doesn't exist is an error`() {
    let message = "nagare: can't open /nowhere/a.jsonl: No such file or directory; name a readable file with --file"
    let error = #expect(throws: ConfigurationError.self) { try builder("--file", "/nowhere/a.jsonl") }
    #expect(error?.description == message)
  }
}
