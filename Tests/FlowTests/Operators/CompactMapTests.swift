import Flow
import FlowTesting
import Testing

@Suite struct CompactMapTests {
  @Test func `a value without a result is dropped`() {
    let m = Marbles()
    m.expect(m.cold("-1-a-3|").stream.compactMap(\.wholeNumberValue), "-1---3|")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.compactMap { Optional($0) } }
  }
}
