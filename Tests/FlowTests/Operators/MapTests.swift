import Flow
import FlowTesting
import Testing

@Suite struct MapTests {
  @Test func `the function transforms each value`() {
    let m = Marbles()
    m.expect(m.cold("-a-b-|").stream.map { Character($0.uppercased()) }, "-A-B-|")
  }

  @Test func `the function runs for each subscriber`() {
    var calls = 0
    let stream = Observable.just(1).map { value in
      calls += 1
      return value
    }
    #expect(calls == 0)
    _ = stream.subscribe()
    _ = stream.subscribe()
    #expect(calls == 2)
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.map { $0 } }
  }
}
