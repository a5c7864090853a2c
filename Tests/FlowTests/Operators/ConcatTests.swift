import Flow
import FlowTesting
import Testing

@Suite struct ConcatTests {
  @Test func `each stream is subscribed to when the previous one has completed`() {
    let m = Marbles()
    let (a, b) = (m.cold("-a-|"), m.cold("-b|"))
    m.expect(a.stream.concat(b.stream), "-a--b|")
    a.expectSubscriptions("^--!")
    b.expectSubscriptions("---^-!")
  }

  @Test func `after a failure the remaining streams aren't subscribed to`() {
    let m = Marbles()
    let b = m.cold("-b|")
    m.expect(.concat([m.cold("-a#").stream, b.stream]), "-a#")
    b.expectSubscriptions()
  }

  @Test func `no streams make an empty one, and a stream that never ends blocks the rest`() {
    Marbles().expect(Observable<Character>.concat([]), "|")
    let m = Marbles()
    let b = m.cold("-b|")
    m.expect(.concat([.never(), b.stream]), "----")
    b.expectSubscriptions()
  }

  @Test func `a stream of streams can be concatenated`() {
    let m = Marbles()
    let (a, b) = (m.cold("-a-a|"), m.cold("-b|"))
    m.expect(m.hot("-1-2-|", values: ["1": a.stream, "2": b.stream]).stream.concat(), "--a-a-b|")
  }

  @Test func `34,000 streams, added at the front or at the end, don't deepen the stack`() {
    let parts = (0..<34_000).map { Observable.just($0) }
    let left = parts.dropFirst().reduce(parts[0]) { $0.concat($1) }
    let right = parts.dropLast().reversed().reduce(parts[33_999]) { $1.concat($0) }
    for stream in [left, right] {
      var (next, isInOrder, ends) = (0, true, 0)
      stream.subscribe { number in
        isInOrder = isInOrder && number == next
        next += 1
      } onCompleted: {
        ends += 1
      }.dispose()
      #expect(isInOrder && next == 34_000 && ends == 1)
    }
  }

  @Test func `a stream that continues with itself later keeps nothing of the past`() {
    let clock = VirtualScheduler()
    let count = Token.Count()
    func countdown(from number: Int) -> Observable<Int> {
      let token = Token("t", count)
      let step = Observable.timer(.seconds(1), on: clock).map { _ in withExtendedLifetime(token) { number } }
      return number == 0 ? step : step.concat(.deferred { countdown(from: number - 1) })
    }
    var values = 0
    var mostAlive = 0
    let subscription = countdown(from: 20_000).subscribe(onNext: { _ in
      values += 1
      mostAlive = max(mostAlive, count.alive)
    })
    clock.run()
    #expect(values == 20_001)
    #expect(mostAlive <= 3)
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.concat(.empty()) }
    expectContract { source, _ in Observable.empty().concat(source) }
  }
}
