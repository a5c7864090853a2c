import Flow
import FlowTesting
import Testing

@Suite struct MaterializeTests {
  private func draw(_ event: Event<Character>) -> Character {
    switch event {
    case .next(let value): value
    case .error: "E"
    case .completed: "C"
    }
  }

  @Test func `ends become values, and then the result completes`() {
    for (source, expected) in [("-a-b|", "-a-b(C|)"), ("-a#", "-a(E|)"), ("|", "(C|)"), ("----", "----")] {
      let m = Marbles()
      m.expect(m.cold(Diagram(source)).stream.materialize(), Diagram(expected), by: draw)
    }
  }

  @Test func `dematerialize turns values back into events`() {
    let m = Marbles()
    let events: [Character: Event<Character>] = ["a": .next("A"), "c": .completed, "e": .error(MarbleError())]
    let source = m.cold("-a-a-c-a", values: events)
    m.expect(source.stream.dematerialize(), "-A-A-|--", by: { $0 })
    source.expectSubscriptions("^----!")
    let n = Marbles()
    n.expect(n.cold("-a-e-a", values: events).stream.dematerialize(), "-A-#--", by: { $0 })
    let o = Marbles()
    o.expect(o.cold("-a-#", values: events).stream.dematerialize(), "-A-#", by: { $0 })
  }

  @Test func `materialize and dematerialize together change nothing`() {
    for source in ["-a-b|", "-a#", "|", "#", "---"] {
      let m = Marbles()
      m.expect(m.cold(Diagram(source)).stream.materialize().dematerialize(), Diagram(source), by: { $0 })
    }
  }

  @Test func `keeps the contract with both operators`() {
    expectContract { source, _ in source.materialize().dematerialize() }
  }
}
