import Flow
import FlowTesting
import Testing

@Suite struct LastTests {
  @Test func `the last comes with the completion`() {
    let m = Marbles()
    m.expect(m.cold("-a-b-|").stream.last(), "-----(b|)")
  }

  @Test func `none of none, a failure passes`() {
    Marbles().expect(Observable<Character>.empty().last(), "|")
    let m = Marbles()
    m.expect(m.cold("-a#").stream.last(), "--#")
  }

  @Test func `disposal by the last keeps the completion away`() {
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
