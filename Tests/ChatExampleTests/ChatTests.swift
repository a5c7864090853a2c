import FlowTesting
import Nagare
import Testing

@testable import ChatExample

/// The screens over the server in memory. Each answer takes 200 ms, which is two characters of a diagram.
@Suite struct ChatTests {
  let m = Marbles()
  let service: Service
  let server: MemoryServer
  let chat: Chat

  init() throws {
    service = Service(clock: m.clock)
    server = MemoryServer(on: m.clock)
    chat = Chat(server, service.dispatcher)
    chat.addScreens(to: service)
    server.user.name = "Kai"
    try service.dispatcher.dispatch(.signIn, server.user)
  }

  /// Opens a channel, and loads its newest 20 messages. They are recorded from then on by the initial of the last text.
  private func messages() -> (Opened<Messages>, Recording<Items<Message>>) {
    let view = Opened(Messages(channel: "general", chat: chat), on: m.clock)
    let last = m.record(view.output.items) { $0.last?.text.first ?? "." }
    m.clock.run(until: .milliseconds(200))
    return (view, last)
  }

  /// Calls a method as a frontend does, and returns what the service sends.
  private func call(_ method: String, _ params: String) -> String {
    let message = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    return String(decoding: service.receive(Array((message + "\n").utf8)), as: UTF8.self)
  }

  @Test func `unread counts rise with each message, and fall when the channel is opened`() throws {
    let channels = Opened(Channels(chat: chat), on: m.clock)
    let unread = m.record(channels.output.items) { $0["general"].map { Character("\($0.unread)") } ?? "n" }
    let opened = m.record(channels.output.navigate) { _ in "o" }
    m.clock.run(until: .milliseconds(500))
    server.write("Hello", by: "Mei", in: "general")
    m.play("------s", into: channels.input.select, values: ["s": "general"])
    m.clock.run(until: .milliseconds(700))
    let screen = try #require(opened.elements.first?.viewModel as? Messages)
    let view = Opened(screen, on: m.clock)
    let last = m.record(view.output.items) { $0.last?.text.first ?? "." }
    m.clock.run(until: .milliseconds(1500))
    unread.expect("n-0--1-----0-")
    last.expect("  -------.-H---")
  }

  @Test func `older messages come before the others, and new ones at the end`() {
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

  @Test func `a message that wasn't sent is kept, and sent again`() throws {
    let (view, last) = messages()
    let pending = m.record(view.output.pending) { Character("\($0.count)") }
    m.play("---s---------", into: view.input.send, values: ["s": "!"])
    m.play("--------r----", into: view.input.resend)
    m.clock.run(until: .seconds(2))
    last.expect("   .-T-------!--")
    pending.expect("--0--1--0----")
    #expect(view.output.items.value.last?.author == "Kai")
  }

  @Test func `an edit is shown at once, and undone if the server refuses it`() throws {
    let (view, _) = messages()
    let id = try #require(view.output.items.value.first?.id)
    let text = m.record(view.output.items) { $0[id]?.text.first ?? "-" }
    let error = m.record(view.output.error) { $0 == nil ? "n" : "e" }
    m.play("----e-----", into: view.input.edit, values: ["e": .init(id: id, newText: "Oh")])
    m.clock.run(until: .seconds(1))
    text.expect(" --R-O-R---")
    error.expect("--n---e---")
    #expect(error.elements.last??.message == "only its author may change a message")
  }

  @Test func `a search starts when the typing stops`() {
    let view = Opened(MessageSearch(chat: chat), on: m.clock)
    let query = m.record(view.output.query) { $0.first ?? "." }
    let loading = m.record(view.output.loading)
    let found = m.record(view.output.items) { $0.first?.text.first ?? "." }
    m.play("---t-r------", into: view.input.search, values: ["t": "T", "r": "rain"])
    m.clock.run(until: .seconds(2))
    query.expect("  .-------r---")
    loading.expect("t-f-----t-f-")
    found.expect("  .-G-------R-")
  }

  @Test func `a profile with a picture signs the user in`() throws {
    let view = Opened(ProfileScreen(chat: chat), on: m.clock)
    view.input.present.answer = { _ in .just(.completed("kai.png".json)) }
    let user = m.record(view.output.user) { $0?.image == nil ? "." : "i" }
    let saving = m.record(view.output.form.saving)
    m.play("   -n-----", into: view.input.name, values: ["n": "Kai"])
    m.play("   --p----", into: view.input.pickImage)
    m.play("   ---s---", into: view.input.form.submit)
    m.clock.run()
    saving.expect("f--t-f-")
    user.expect("  .----i-")
  }

  @Test func `the images of a channel are swiped through`() {
    _ = call("open", #"{"screen":"messages","view":"m","params":{"channel":"general"}}"#)
    _ = call("clock/advance", #"{"milliseconds":200}"#)
    #expect(call("showImage", #"{"view":"m","id":"m91"}"#).contains("'id' must be a message with an image"))
    #expect(call("showImage", #"{"view":"m","id":"m139"}"#).contains(#""screen":"image""#))
    _ = call("clock/advance", #"{"milliseconds":200}"#)
    #expect(call("swipe", #"{"view":"v1","to":"next"}"#).contains(#""id":"m124","index":1"#))
  }

  @Test func `logging out closes all views`() {
    _ = call("open", #"{"screen":"channels","view":"c"}"#)
    _ = call("open", #"{"screen":"profile","view":"p"}"#)
    let answer = call("logOut", #"{"view":"p"}"#)
    #expect(answer.contains(#""closed","params":{"view":"c""#) && answer.contains(#""closed","params":{"view":"p""#))
    #expect(chat.user.state.value == nil)
  }
}
