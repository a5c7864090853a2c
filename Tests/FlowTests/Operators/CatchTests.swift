import Flow
import FlowTesting
import Testing

@Suite struct CatchTests {
  @Test func `after a failure the other stream continues`() {
    let m = Marbles()
    let (source, other) = (m.cold("-a-#"), m.cold("-b|"))
    m.expect(source.stream.catch { _ in other.stream }, "-a--b|")
    source.expectSubscriptions("^--!")
    other.expectSubscriptions("---^-!")
  }

  @Test func `without a failure the other stream isn't made`() {
    let m = Marbles()
    m.expect(
      m.cold("-a-|").stream.catch { _ in
        Issue.record("there was no failure")
        return .never()
      }, "-a-|")
  }

  @Test func `a failure of the other stream is forwarded`() {
    let m = Marbles()
    m.expect(m.cold("-a-#").stream.catch { _ in m.cold("-b#").stream }, "-a--b#")
  }

  @Test func `the handler receives the failure`() {
    let m = Marbles()
    m.expect(m.cold("-#").stream.catch { .just($0 is MarbleError ? "y" : "n") }, "-(y|)")
  }

  @Test func `a value can replace a failure`() {
    let m = Marbles()
    let source = m.cold("-a-#")
    m.expect(source.stream.catchAndReturn("x"), "-a-(x|)")
    source.expectSubscriptions("^--!")
    let n = Marbles()
    n.expect(n.cold("-a-|").stream.catchAndReturn("x"), "-a-|")
    Marbles().expect(Observable.error(MarbleError()).catchAndReturn(1), "(1|)")
  }

  @Test func `a subscriber that leaves at that value doesn't receive the completion`() {
    let source = PublishSubject<Int>()
    let subscription = SerialDisposable()
    var log: [String] = []
    subscription.disposable = source.catchAndReturn(7).subscribe { event in
      log.append("\(event)")
      if event.element == 7 { subscription.dispose() }
    }
    source.onNext(1)
    source.onError(MarbleError())
    #expect(log == ["next(1)", "next(7)"])
  }

  @Test func `nothing stays in memory`() {
    expectContract { source, _ in source.catch { .error($0) } }
  }
}
