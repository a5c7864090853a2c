import Flow
import FlowTesting
import Testing

@Suite struct TakeWhileTests {
  @Test func `the result completes at the first value that fails the condition, and leaves the source`() {
    let m = Marbles()
    let source = m.cold("-1-2-3-1|")
    m.expect(source.stream.takeWhile { $0 < "3" }, "-1-2-|---")
    source.expectSubscriptions("^----!")
  }

  @Test func `a value sent while the condition is checked doesn't complete twice`() {
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
