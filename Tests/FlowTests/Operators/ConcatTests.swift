import Flow
import FlowTesting
import Testing

@Suite struct ConcatTests {
  @Test func `each is subscribed to when the one before has completed`() {
    let m = Marbles()
    let (a, b) = (m.cold("-a-|"), m.cold("-b|"))
    m.expect(a.stream.concat(b.stream), "-a--b|")
    a.expectSubscriptions("^--!")
    b.expectSubscriptions("---^-!")
  }

  @Test func `a failure keeps the rest away`() {
    let m = Marbles()
    let b = m.cold("-b|")
    m.expect(.concat([m.cold("-a#").stream, b.stream]), "-a#")
    b.expectSubscriptions()
  }

  @Test func `of none is empty, never keeps the rest away`() {
    Marbles().expect(Observable<Character>.concat([]), "|")
    let m = Marbles()
    let b = m.cold("-b|")
    m.expect(.concat([.never(), b.stream]), "----")
    b.expectSubscriptions()
  }

  @Test func `a stream of streams`() {
    let m = Marbles()
    let (a, b) = (m.cold("-a-a|"), m.cold("-b|"))
    m.expect(m.hot("-1-2-|", values: ["1": a.stream, "2": b.stream]).stream.concat(), "--a-a-b|")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.concat(.empty()) }
    expectContract { source, _ in Observable.empty().concat(source) }
  }
}
