import Flow
import Nagare
import Testing

@testable import NagareCommand

@Suite struct DefinitionTests {
  private func service(_ words: String...) throws -> Service {
    let service = Service(clock: VirtualScheduler())
    try Definition(Arguments(words)).define(in: service)
    return service
  }

  @Test func `without a configuration there is a screen for each view model, or one for the file`() throws {
    #expect(try service().screenNames == ["items", "detail", "genres", "profile", "offers"])
    #expect(try service("--file", "nowhere.jsonl").screenNames == ["items", "detail"])
  }

  @Test func `the list is the demo's, or the file's under its id`() throws {
    guard case .demo? = try Definition(Arguments([])).configuration.sources["items"],
      case .file(let file)? = try Definition(Arguments(["--file", "a", "--id", "key"])).configuration.sources["items"],
      case .file(let plain)? = try Definition(Arguments(["--file", "a"])).configuration.sources["items"]
    else {
      Issue.record("other sources are served")
      return
    }
    #expect(file.path == "a" && file.id == "key" && plain.id == "id")
  }

  @Test func `a configuration that can't be read serves nothing`() {
    #expect(throws: ConfigurationFault.self) { try Definition(Arguments(["--config", "/nowhere/c.json"])) }
  }
}
