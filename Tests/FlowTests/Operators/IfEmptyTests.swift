import Flow
import FlowTesting
import Testing

@Suite struct IfEmptyTests {
  @Test func `another stream continues after an empty one`() {
    let m = Marbles()
    let (source, other) = (m.cold("--|"), m.cold("-x|"))
    m.expect(source.stream.ifEmpty(switchTo: other.stream), "---x|")
    source.expectSubscriptions("^-!")
    other.expectSubscriptions("--^-!")
  }

  @Test func `the other stream isn't used after a value or a failure`() {
    let m = Marbles()
    let other = m.cold("-x|")
    m.expect(m.cold("a-|").stream.ifEmpty(switchTo: other.stream), "a-|")
    let n = Marbles()
    n.expect(n.cold("--#").stream.ifEmpty(switchTo: other.stream), "--#")
    other.expectSubscriptions()
  }

  @Test func `a value can replace an empty stream`() {
    Marbles().expect(Observable.empty().ifEmpty(default: 7), "(7|)")
  }
}
