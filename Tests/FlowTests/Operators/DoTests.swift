import Flow
import FlowTesting
import Testing

@Suite struct DoTests {
  private func log(_ source: Observable<Int>, _ use: (Observable<Int>) -> Void) -> [String] {
    var log: [String] = []
    use(
      source.do(
        onNext: { log.append("next \($0)") }, onError: { _ in log.append("error") },
        onCompleted: { log.append("completed") }, onSubscribe: { log.append("subscribe") },
        onDispose: { log.append("dispose") }))
    return log
  }

  @Test func `each event is reported, in order`() {
    #expect(log(.of(1, 2)) { $0.subscribe().dispose() } == ["subscribe", "next 1", "next 2", "completed", "dispose"])
    #expect(log(.error(MarbleError())) { $0.subscribe().dispose() } == ["subscribe", "error", "dispose"])
    #expect(log(.never()) { $0.subscribe().dispose() } == ["subscribe", "dispose"])
    #expect(log(.from(1...)) { $0.take(1).subscribe().dispose() } == ["subscribe", "next 1", "dispose"])
    #expect(log(.never()) { _ in } == [])
  }

  @Test func `the closures are called before subscribers downstream`() {
    var log: [String] = []
    Observable.just(1).do(onNext: { log.append("do \($0)") }, onCompleted: { log.append("do completed") })
      .subscribe(onNext: { log.append("\($0)") }, onCompleted: { log.append("completed") }).dispose()
    #expect(log == ["do 1", "1", "do completed", "completed"])
  }

  @Test func `disposal propagates upstream`() {
    var log: [String] = []
    Observable<Int>.create { _ in AnyDisposable { log.append("source") } }
      .do(onDispose: { log.append("inner") }).do(onDispose: { log.append("outer") })
      .subscribe().dispose()
    #expect(log == ["outer", "inner", "source"])
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.do(onNext: { _ in }, onDispose: {}) }
  }
}
