import Nagare
import NagareTesting
import Testing

@testable import TicketExample

@Suite struct TicketScreenTests {
  let m = Marbles()
  let view: Opened<TicketScreen>

  init() {
    let clock = m.clock
    let server = Server(
      ticket: { .just(Ticket(id: "t", title: "It rains in")).delay(.milliseconds(300), on: clock) },
      remarks: { .just([Remark(id: "r1", text: "Here, too")]).delay(.milliseconds(200), on: clock) },
      add: { text in
        text == "?"
          ? .error(LoadFailure(.unreachable, "offline", isRetryable: true))
          : .just(Remark(id: "r2", text: text)).delay(.milliseconds(200), on: clock)
      })
    view = Opened(TicketScreen(server: server), on: clock)
  }

  @Test func `ticket and comments load at once, and a saved comment is listed`() {
    m.recordAll(of: view) { sent in
      m.play(" -a--------", into: view.input.appear)
      m.play(" -------t--", into: view.input.text, values: ["t": "Me too"])
      m.play(" --------s-", into: view.input.save)
      m.clock.run(until: .seconds(2))
      sent.ticket.expect(" n---t-----") { $0 == nil ? "n" : "t" }
      sent.remarks.expect("0--1------2") { Character("\($0.count)") }
      sent.loading.expect("ft--f---t-f")
      sent.saved.expect("  ----------x")
    }
    #expect(view.errors.isEmpty)
  }

  @Test func `an empty text is refused, and a failure has the input's name`() throws {
    let error = m.record(view.output.error) { $0 == nil ? "n" : "e" }
    let refusal = try #require(throws: RPCError.self) { try view.input.save.send() }
    #expect(refusal.message == "'text' must be something")
    try view.input.text.send("?")
    try view.input.save.send()
    error.expect("(ne)")
    #expect(error.elements.last??.message == "offline")
    #expect(error.elements.last??.trigger == "save")
  }

  @Test func `a choice in the child becomes the ticket's assignee`() throws {
    let assignee = m.record(view.output.assignee) { $0?.first ?? "-" }
    let opened = m.record(view.output.navigate) { _ in "o" }
    try view.input.assign.send()
    let people = try #require(opened.elements.first?.viewModel as? People)
    let child = Opened(people, on: m.clock)
    let dismissed = m.record(child.output.dismiss)
    #expect(throws: RPCError.self) { try child.input.choose.send("Kai") }
    try child.input.choose.send("Mei")
    assignee.expect("(-M)")
    dismissed.expect("x")
  }
}
