import Flow
import FlowTesting
import Testing

@Suite struct ScanTests {
  @Test func `each state is emitted, and the initial one is not`() {
    let m = Marbles()
    m.expect(m.cold("-1-2-3|").stream.compactMap(\.wholeNumberValue).scan(0, +), "-1-3-6|")
  }

  @Test func `folding in place has the same results`() {
    let m = Marbles()
    m.expect(m.cold("-1-2-3#").stream.compactMap(\.wholeNumberValue).scan(into: 0) { $0 += $1 }, "-1-3-6#")
  }

  @Test func `each subscriber starts from the initial state`() {
    let m = Marbles()
    let sums = m.cold("-1-1|").stream.compactMap(\.wholeNumberValue).scan(into: 0) { $0 += $1 }
    let first = m.record(sums)
    m.clock.run(until: .milliseconds(200))
    let second = m.record(sums)
    m.clock.run()
    first.expect("-1-2|")
    second.expect("---1-2|")
  }

  @Test func `a value sent while a state is emitted is folded into that state`() {
    let source = PublishSubject<Int>()
    var states: [Int] = []
    let subscription = source.scan(0, +).subscribe { state in
      if state.element == 1 { source.onNext(10) }
      state.element.map { states.append($0) }
    }
    source.onNext(1)
    #expect(states == [11, 1])
    subscription.dispose()
  }

  @Test func `a value sent while a state is emitted is folded in place, too`() {
    let source = PublishSubject<Int>()
    var states: [[Int]] = []
    let subscription = source.scan(into: []) { $0.append($1) }.subscribe(onNext: { state in
      if state == [1] { source.onNext(2) }
      states.append(state)
    })
    source.onNext(1)
    #expect(states == [[1, 2], [1]])
    subscription.dispose()
  }

  @Test func `folding in place doesn't copy a state that isn't stored elsewhere`() {
    final class Storage {}
    let source = PublishSubject<Int>()
    var copies = 0
    let subscription = source.scan(into: Storage()) { storage, _ in
      copies += isKnownUniquelyReferenced(&storage) ? 0 : 1
    }.subscribe(onNext: { _ in })
    for value in 0..<10 { source.onNext(value) }
    #expect(copies == 0)
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.scan(0) { count, _ in count + 1 } }
    expectContract { source, _ in source.scan(into: [Token]()) { $0.append($1) } }
  }
}
