import Flow
import FlowTesting
import Testing

@Suite struct DebugTests {
  @Test func `events are printed before they are forwarded`() {
    var log: [String] = []
    let stream = Observable.of(1, 2).debug("numbers") { log.append($0) }
    stream.subscribe { log.append("\($0)") }.dispose()
    #expect(
      log == [
        "numbers -> subscribed", "numbers -> Event next(1)", "next(1)", "numbers -> Event next(2)", "next(2)",
        "numbers -> Event completed", "completed", "numbers -> isDisposed",
      ])
  }

  @Test func `a failure and the leaving of a subscriber are printed`() {
    var log: [String] = []
    let failing = Observable<Int>.error(MarbleError()).debug("a") { log.append($0) }
    failing.subscribe().dispose()
    Observable<Int>.never().debug("b") { log.append($0) }.subscribe().dispose()
    #expect(
      log == [
        "a -> subscribed", "a -> Event error(MarbleError())", "a -> isDisposed", "b -> subscribed", "b -> isDisposed",
      ])
  }

  @Test func `without an identifier the lines begin with the source position`() {
    var log: [String] = []
    let line = #line + 1
    Observable.just(1).debug { log.append($0) }.subscribe().dispose()
    #expect(
      log.first
        == "FlowTests/DebugTests.swift:\(line) (without an identifier the lines begin with the source position()) -> subscribed"
    )
  }

  @Test func `keeps the contract`() {
    expectContract { source, _ in source.debug { _ in } }
  }
}
