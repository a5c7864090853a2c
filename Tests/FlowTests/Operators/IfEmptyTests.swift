import Flow
import FlowTesting
import Testing

@Suite struct IfEmptyTests {
  @Test func `another stream goes on when there was nothing`() {
    let m = Marbles()
    let (source, other) = (m.cold("--|"), m.cold("-x|"))
    m.expect(source.stream.ifEmpty(switchTo: other.stream), "---x|")
    source.expectSubscriptions("^-!")
    other.expectSubscriptions("--^-!")
  }

  @Test func `not when there was something, or a failure`() {
    let m = Marbles()
    let other = m.cold("-x|")
    m.expect(m.cold("a-|").stream.ifEmpty(switchTo: other.stream), "a-|")
    let n = Marbles()
    n.expect(n.cold("--#").stream.ifEmpty(switchTo: other.stream), "--#")
    other.expectSubscriptions()
  }

  @Test func `a value can stand in`() {
    Marbles().expect(Observable.empty().ifEmpty(default: 7), "(7|)")
  }
}
