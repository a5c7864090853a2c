import Flow
import FlowTesting
import Testing

@Suite struct FlatMapFirstTests {
  @Test func `values that arrive while a stream runs are ignored`() {
    let m = Marbles()
    let inner = m.cold("-0-1|")
    let source = m.hot("-a--b-c-|")
    m.expect(source.stream.flatMapFirst { _ in inner.stream }, "--0-1--0-1|")
    source.expectSubscriptions("^-------!")
    inner.expectSubscriptions("-^---!", "------^---!")
  }

  @Test func `a value sent while another is emitted is ignored`() {
    let source = PublishSubject<Int>()
    var values: [Int] = []
    let subscription = source.flatMapFirst { .just($0) }.subscribe(onNext: { value in
      values.append(value)
      if value == 1 { source.onNext(2) }
    })
    source.onNext(1)
    source.onNext(3)
    #expect(values == [1, 3])
    subscription.dispose()
  }

  @Test func `a failure of the source or a stream ends the result`() {
    let m = Marbles()
    let source = m.hot("-a----#")
    let inner = m.cold("-0-0-0-0")
    m.expect(source.stream.flatMapFirst { _ in inner.stream }, "--0-0-#---")
    inner.expectSubscriptions("-^----!")
    let n = Marbles()
    let other = n.hot("-a----|")
    n.expect(other.stream.flatMapFirst { _ in n.cold("--#").stream }, "---#---")
    other.expectSubscriptions("^--!")
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.flatMapFirst { .just($0) } }
  }
}
