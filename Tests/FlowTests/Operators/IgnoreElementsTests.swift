import Flow
import FlowTesting
import Testing

@Suite struct IgnoreElementsTests {
  @Test func `only the end passes`() {
    let m = Marbles()
    m.expect(m.cold("-a-b|").stream.ignoreElements(), "----|")
    let n = Marbles()
    n.expect(n.cold("-a-b#").stream.ignoreElements(of: Int.self), "----#")
  }
}
