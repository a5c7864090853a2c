import FlowTesting
import Nagare
import Testing

@testable import ChatExample

/// The screens with the server in memory. Each response takes 200 ms, which is two characters of a diagram.
@Suite struct ChatTests {
  let m = Marbles()
  let service: Service, server: MemoryServer, chat: Chat

  init() throws {
    service = Service(clock: m.clock)
    server = MemoryServer(on: m.clock)
    chat = Chat(server, service.dispatcher)
    chat.addScreens(to: service)
    server.user.name = "Kai"
    try service.dispatcher.dispatch(.signIn, server.user)
  }

  /// Opens a channel, and records the initial of its last message.
  private func messages() -> (Opened<Messages>, Recording<Items<Message>>) {
    let view = Opened(Messages(channel: "general", chat: chat), on: m.clock)
    return (view, m.record(view.output.items) { $0.last?.text.first ?? "." })
  }

  /// Calls a method as a frontend does, lets 200 ms pass, and returns the messages of the service.
  private func call(_ method: String, _ params: String) -> String {
    let call = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#
    let pause = #"{"jsonrpc":"2.0","id":2,"method":"clock/advance","params":{"milliseconds":200}}"#
    return String(decoding: service.receive(Array("\(call)\n\(pause)\n".utf8)), as: UTF8.self)
  }

  @Test func `unread counts rise with each message, and fall when the channel is opened`() {
    let view = Opened(Channels(chat: chat), on: m.clock)
    let unread = m.record(view.output.items) { $0["general"].map { Character("\($0.unread)") } ?? "." }
    m.clock.run(until: .milliseconds(400))
    server.write("Hello", by: "Mei", in: "general")
    let (_, last) = messages()
    m.clock.run(until: .seconds(1))
    unread.expect(".-0-1---0--")
    last.expect("  ----.-H----")
  }

  @Test func `older messages come before the others, and new ones at the end`() {
    let view = Opened(Messages(channel: "general", chat: chat), on: m.clock)
    let count = m.record(view.output.items) { Character("\($0.count / 10)") }
    m.play("   -----tt-----", into: view.input.reachTop)
    m.clock.run(until: .seconds(1))
    count.expect("0-2----4---")
    server.write("Hello", by: "Mei", in: "general")
    m.clock.run(until: .seconds(2))
    #expect(view.output.items.value.count == 41 && view.output.items.value.last?.text == "Hello")
  }

  @Test func `a message that couldn't be sent is kept, and can be sent again`() {
    let (view, last) = messages()
    let pending = m.record(view.output.pending) { $0.first.map { $0.state == .failed ? "f" : "s" } ?? "." }
    m.play("      ---s---------", into: view.input.send, values: ["s": "!"])
    m.play("      --------r----", into: view.input.resend, values: ["r": "draft 1"])
    m.clock.run(until: .seconds(2))
    last.expect("   .-T!------(!!)")
    pending.expect(".--s-f--s-.--")
    #expect(view.output.items.value.last?.id == "m151" && view.output.items.value.count == 21)
  }

  @Test func `a deleted message comes back when the deletion is undone within 5 s`() {
    server.write("Mine", by: "Kai", in: "general")
    let (view, last) = messages()
    let undoable = m.record(view.output.undoable) { $0 == nil ? "." : "u" }
    m.play("       ---r-----r---", into: view.input.remove, values: ["r": "m151"])
    m.play("       ------u------", into: view.input.undo)
    m.clock.run(until: .seconds(7))
    last.expect("    .-MT--M--T-4900ms--")
    undoable.expect(".--u--.--u-4700ms-.")
  }

  @Test func `an edit is shown immediately, and undone if the server refuses it`() {
    let (view, _) = messages()
    let text = m.record(view.output.items) { $0["m91"]?.text.first ?? "." }
    m.play("     ----e-----", into: view.input.edit, values: ["e": .init(id: "m91", newText: "Oh")])
    m.clock.run(until: .seconds(1))
    text.expect(".-R-O-R---")
    #expect(view.output.error.value?.message == "only its author may change a message")
  }

  @Test func `a search starts when the typing stops`() {
    let view = Opened(MessageSearch(chat: chat), on: m.clock)
    let found = m.record(view.output.items) { $0.first?.text.first ?? "." }
    m.play("      ---t-r-----", into: view.input.search, values: ["t": "T", "r": "rain"])
    m.clock.run(until: .seconds(2))
    found.expect(".-G-------R-")
  }

  @Test func `a profile with a picture signs the user in`() {
    let view = Opened(ProfileScreen(chat: chat), on: m.clock)
    view.input.present.answer = { _ in .just(.completed("kai.png".json)) }
    let user = m.record(view.output.user) { $0?.image == nil ? "." : "i" }
    let saving = m.record(view.output.form.saving)
    m.play("   --p----", into: view.input.pickImage)
    m.play("   ---s---", into: view.input.form.submit)
    m.clock.run()
    saving.expect("f--t-f-")
    user.expect("  .----i-")
  }

  @Test func `a pager swipes through the images of a channel`() {
    _ = call("open", #"{"screen":"messages","view":"m","params":{"channel":"general"}}"#)
    #expect(call("showImage", #"{"view":"m","id":"m139"}"#).contains(#""screen":"image","view":"v1""#))
    #expect(call("swipe", #"{"view":"v1","to":"next"}"#).contains(#""id":"m124","index":1"#))
  }

  @Test func `logging out closes all views`() {
    _ = call("open", #"{"screen":"channels","view":"c"}"#)
    #expect(call("select", #"{"view":"c","id":"swift"}"#).contains(#""screen":"messages","view":"v1""#))
    _ = call("open", #"{"screen":"profile","view":"p"}"#)
    let answer = call("logOut", #"{"view":"p"}"#)
    for view in ["c", "v1", "p"] { #expect(answer.contains(#""closed","params":{"view":"\#(view)""#)) }
  }
}
