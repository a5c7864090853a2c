import Flow
import FlowTesting
import Testing

@Suite struct TakeWhileTests {
  @Test func `it completes at the first that does not satisfy the condition, and leaves`() {
    let m = Marbles()
    let source = m.cold("-1-2-3-1|")
    m.expect(source.stream.takeWhile { $0 < "3" }, "-1-2-|---")
    source.expectSubscriptions("^----!")
  }

  @Test func `a value fed while the condition is asked does not complete it twice`() {
    let source = PublishSubject<Int>()
    var completions = 0
    let subscription = source.takeWhile { value in
      if value == 1 { source.onNext(2) }
      return false
    }.subscribe(onCompleted: { completions += 1 })
    source.onNext(1)
    #expect(completions == 1)
    subscription.dispose()
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.takeWhile { _ in true } }
  }
}
