import Flow
import FlowTesting
import Testing

@Suite struct ConcatMapTests {
  @Test func `each stream waits for the previous one`() {
    let m = Marbles()
    let inner = m.cold("0-1|")
    let source = m.hot("-a-b-|")
    m.expect(source.stream.concatMap { _ in inner.stream }, "-0-10-1|")
    source.expectSubscriptions("^----!")
    inner.expectSubscriptions("-^--!", "----^--!")
  }

  @Test func `a stream is made when the previous one has completed`() {
    var made: [Int] = []
    let first = PublishSubject<Int>()
    let source = PublishSubject<Int>()
    let subscription = source.concatMap { number in
      made.append(number)
      return first.asObservable()
    }.subscribe()
    source.onNext(1)
    source.onNext(2)
    #expect(made == [1])
    first.onCompleted()
    #expect(made == [1, 2])
    subscription.dispose()
  }

  @Test func `a hundred thousand streams that end immediately don't deepen the stack`() {
    var sum = 0
    let subscription = Observable.from(0..<100_000).concatMap { .of($0) }.subscribe(onNext: { sum += $0 })
    #expect(sum == 4_999_950_000)
    subscription.dispose()
    let gate = PublishSubject<Int>()
    var count = 0
    let waiting = Observable.from(0..<100_000).concatMap { $0 == 0 ? gate.asObservable() : .just($0) }
      .subscribe(onNext: { _ in count += 1 })
    gate.onCompleted()
    #expect(count == 99_999)
    waiting.dispose()
  }

  @Test func `a failure of the source or a stream ends the result`() {
    let m = Marbles()
    let inner = m.cold("-0-#")
    let source = m.hot("-ab---|")
    m.expect(source.stream.concatMap { _ in inner.stream }, "--0-#---")
    source.expectSubscriptions("^---!")
    inner.expectSubscriptions("-^--!")
    let n = Marbles()
    n.expect(n.hot("-ab-#").stream.concatMap { _ in n.cold("-0-0-0|").stream }, "--0-#---")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.concatMap { .just($0) } }
  }
}
