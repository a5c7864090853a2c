import FlowTesting
import Nagare
import Testing

@testable import ChatExample

/// The screens over the server in memory. Each answer takes 200 ms, which is two characters of a diagram.
@Suite struct ChatTests {
  let m = Marbles()
  let server: MemoryServer
  let dispatcher = Dispatcher()
  let chat: Chat

  init() {
    server = MemoryServer(on: m.clock)
    chat = Chat(server, dispatcher)
  }

  private func signIn() throws { try dispatcher.dispatch(.signIn, Profile(name: "Kai")) }

  @Test func `unread counts rise with each message, and fall when the channel is opened`() throws {
    let channels = Opened(Channels(chat: chat), on: m.clock)
    let unread = m.record(channels.output.items) { $0["general"].map { Character("\($0.unread)") } ?? "n" }
    let opened = m.record(channels.output.navigate) { _ in "o" }
    m.clock.run(until: .milliseconds(500))
    server.write("Hello", by: "Mei", in: "general")
    m.play("------s----", into: channels.input.select, values: ["s": "general"])
    m.clock.run(until: .milliseconds(700))
    unread.expect("n-0--1")
    opened.expect("------o")
    let screen = try #require(opened.elements.first?.viewModel as? Messages)
    let messages = m.record(Opened(screen, on: m.clock).output.items) { _ in "x" }
    m.clock.run(until: .milliseconds(1500))
    unread.expect("n-0--1-----0")
    #expect(messages.elements.last?.last?.text == "Hello")
  }

  @Test func `older messages come before, and new ones at the end`() {
    let view = Opened(Messages(channel: "general", chat: chat), on: m.clock)
    let count = m.record(view.output.items) { Character("\($0.count / 10)") }
    let loading = m.record(view.output.loading)
    m.play("-----tt-----", into: view.input.reachTop)
    m.clock.run(until: .seconds(1))
    count.expect("  0-2----4---")
    loading.expect("t-f--t-f---")
    server.write("Hello", by: "Mei", in: "general")
    m.clock.run(until: .seconds(2))
    #expect(view.output.items.value.count == 41 && view.output.items.value.last?.text == "Hello")
  }
}
