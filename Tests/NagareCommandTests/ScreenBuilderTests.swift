import Flow
import Nagare
import Reactor
import Testing

@testable import NagareCommand

@Suite struct ScreenBuilderTests {
  private func service(_ words: String...) throws -> Service {
    let service = Service(clock: VirtualScheduler())
    var sources = SourceFactory(for: service, on: try EventLoop())
    try ScreenBuilder(Arguments(words)).addScreens(to: service, &sources)
    return service
  }

  @Test func `the default has a screen of each kind, and a file has a list with its detail`() throws {
    #expect(
      try service().screenNames == ["items", "detail", "articles", "genres", "shops", "profile", "offers"])
    #expect(try service("--file", "nowhere.jsonl").screenNames == ["items", "detail"])
  }

  @Test func `the list has the demo's items, or those of the file with its id`() throws {
    guard case .demo? = try ScreenBuilder(Arguments([])).configuration.sources["items"],
      case .file(let file)? = try ScreenBuilder(Arguments(["--file", "a", "--id", "key"])).configuration.sources[
        "items"],
      case .file(let plain)? = try ScreenBuilder(Arguments(["--file", "a"])).configuration.sources["items"]
    else {
      Issue.record("other sources are served")
      return
    }
    #expect(file.path == "a" && file.id == "key" && plain.id == "id")
  }

  @Test func `an unreadable configuration is an error`() {
    #expect(throws: ConfigurationError.self) { try ScreenBuilder(Arguments(["--config", "/nowhere/c.json"])) }
  }
}
