import Flow
import FlowTesting
import Testing

@Suite struct FilterTests {
  @Test func `only values that satisfy the condition pass`() {
    let m = Marbles()
    m.expect(m.cold("-1-2-3-4-|").stream.filter { "24".contains($0) }, "---2---4-|")
  }

  @Test func `the end passes even if no value does`() {
    let m = Marbles()
    m.expect(m.cold("-1-2-#").stream.filter { _ in false }, "-----#")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.filter { _ in true } }
  }
}
