import Flow
import FlowTesting
import Testing

@Suite struct LastTests {
  @Test func `the last value is emitted at the completion`() {
    let m = Marbles()
    m.expect(m.cold("-a-b-|").stream.last(), "-----(b|)")
  }

  @Test func `an empty stream has no last value, and a failure is forwarded`() {
    Marbles().expect(Observable<Character>.empty().last(), "|")
    let m = Marbles()
    m.expect(m.cold("-a#").stream.last(), "--#")
  }

  @Test func `a subscriber that leaves at the last value doesn't receive the completion`() {
    var log: [String] = []
    let subscription = SerialDisposable()
    let source = PublishSubject<Int>()
    subscription.disposable = source.last().do(onCompleted: { log.append("completed") }).subscribe(onNext: { value in
      log.append("\(value)")
      subscription.dispose()
    })
    source.onNext(1)
    source.onCompleted()
    #expect(log == ["1"])
  }
}
