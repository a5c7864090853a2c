import Flow
import FlowTesting
import Testing

@Suite struct DistinctUntilChangedTests {
  @Test func `what is equal to the one before is left out`() {
    let m = Marbles()
    m.expect(m.cold("-aab-baa|").stream.distinctUntilChanged(), "-a-b--a-|")
  }

  @Test func `sameness can be anything`() {
    let m = Marbles()
    m.expect(m.cold("-aAbBa#").stream.distinctUntilChanged { $0.lowercased() == $1.lowercased() }, "-a-b-a#")
  }

  @Test func `each subscriber has a memory of its own`() {
    let stream = Observable.of(1, 1).distinctUntilChanged()
    var values: [Int] = []
    stream.subscribe(onNext: { values.append($0) }).dispose()
    stream.subscribe(onNext: { values.append($0) }).dispose()
    #expect(values == [1, 1])
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.distinctUntilChanged { $0 === $1 } }
  }
}
