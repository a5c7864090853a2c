import Reactor
import Testing

@testable import NagareCommand

@Suite struct TableKitTests {
  @Test func `a kit that doesn't end is stopped, and the error names it`() throws {
    let loop = try EventLoop()
    var kit = TableKit(command: ["sh", "-c", "while :; do sleep 1000; done"])
    kit.patience = .zero
    let error = #expect(throws: ConfigurationError.self) { try kit.run([], on: loop) }
    #expect(error?.description.hasSuffix("done hasn't ended after 0 seconds, and was stopped") == true)
  }

  @Test func `a kit without a program is an error`() throws {
    let loop = try EventLoop()
    let error = #expect(throws: ConfigurationError.self) { try TableKit(command: ["/nowhere/kit"]).run([], on: loop) }
    #expect(error?.description.contains("/nowhere/kit") == true)
  }
}
