import Flow
import FlowTesting
import Testing

@Suite struct SkipTests {
  @Test(arguments: [(0, "-a-b-c|"), (1, "---b-c|"), (3, "------|"), (9, "------|")])
  func `the first are left out`(count: Int, expected: String) {
    let m = Marbles()
    m.expect(m.cold("-a-b-c|").stream.skip(count), Diagram(expected))
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.skip(0) }
  }
}
