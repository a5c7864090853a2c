import Paging
import ItemList
import Flow
import FlowTesting
import RPC
import Randomness
import Testing
import WireJSON

@testable import PageSources

/// A source that gives the answers of a test. It records the times of requests, and counts cancelled ones.
private final class ScriptedSource {
  let clock: VirtualScheduler
  /// The answer to each try.
  let answers: [Observable<Page<RawJSON>>]
  private(set) var asked: [Duration] = []
  private(set) var calledOff = 0

  init(on clock: VirtualScheduler, _ answers: Observable<Page<RawJSON>>...) {
    self.clock = clock
    self.answers = answers
  }

  var source: Source<RawJSON> { Source { [self] in load($0) } }

  private func load(_ request: PageRequest) -> Observable<Page<RawJSON>> {
    .deferred { [self] in
      asked.append(clock.now)
      let answer = answers[min(asked.count, answers.count) - 1]
      return .create { [self] observer in
        var hasEnded = false
        let subscription = answer.subscribe { event in
          hasEnded = event.element == nil
          observer.on(event)
        }
        return AnyDisposable { [self] in
          if !hasEnded { calledOff += 1 }
          subscription.dispose()
        }
      }
    }
  }
}

@Suite struct SourceRetryingTests {
  private let clock = VirtualScheduler()
  private let page = Observable.just(Page<RawJSON>(items: RawItems(bytes: [], slices: []), total: 7))
  private let passing = Observable<Page<RawJSON>>.error(LoadFailure(.unreachable, "down", isRetryable: true))
  private let lasting = Observable<Page<RawJSON>>.error(LoadFailure(.malformedResponse, "wrong"))

  private func retrying(_ base: ScriptedSource, seed: UInt64 = 1) -> Source<RawJSON> {
    base.source.retrying(name: "mine", on: clock, seed: seed)
  }

  @Test func `a page that comes immediately leaves nothing running`() {
    let base = ScriptedSource(on: clock, page)
    #expect(retrying(base).outcome().page?.total == 7)
    #expect(clock.timers.nextDue == nil)
  }

  @Test func `each further try is reported just before its request`() {
    let base = ScriptedSource(on: clock, passing, passing, page)
    var askedBefore: [Int] = []
    let load = retrying(base).load(PageRequest(size: 1)) { report in
      #expect(report == .retried)
      askedBefore.append(base.asked.count)
    }.subscribe { _ in }
    clock.run()
    #expect(askedBefore == [1, 2])
    load.dispose()
  }

  @Test func `a failure that isn't retryable is reported immediately`() {
    let base = ScriptedSource(on: clock, lasting)
    #expect(retrying(base).outcome(on: clock).failure == LoadFailure(.malformedResponse, "wrong"))
    #expect(base.asked == [.zero])
  }

  @Test func `a retryable failure leads to further tries after growing pauses`() {
    let base = ScriptedSource(on: clock, passing, passing, passing, page)
    #expect(retrying(base).outcome(on: clock).page?.total == 7)
    let pauses = zip(base.asked, base.asked.dropFirst()).map { $1 - $0 }
    let longest = [Duration.milliseconds(500), .seconds(1), .seconds(2)]
    #expect(pauses.count == 3)
    for (pause, longest) in zip(pauses, longest) { #expect((longest / 2...longest).contains(pause)) }
  }

  @Test func `after five tries the last failure is reported`() {
    let base = ScriptedSource(on: clock, passing)
    #expect(retrying(base).outcome(on: clock).failure == LoadFailure(.unreachable, "down", isRetryable: true))
    #expect(base.asked.count == 5)
  }

  @Test func `a try without an answer is cancelled after 30 s, and all end within 60 s`() {
    let base = ScriptedSource(on: clock, .never())
    let failure = retrying(base).outcome(on: clock).failure
    #expect(failure?.code == LoadFailure.Code.timeout.rawValue)
    #expect(failure?.isRetryable == true)
    #expect(failure?.message == "the source \"mine\" returned no page in time; try again later")
    #expect(base.asked.count == 2)
    #expect(base.calledOff == 2)
    #expect(clock.now == .seconds(60))
  }

  /// A source whose page comes after these reports of progress, one every 20 s.
  private func reporting(_ done: [Int]) -> Source<RawJSON> {
    let load = { [clock, page] (_: PageRequest, report: @escaping (RunReport) -> Void) in
      Observable<Page<RawJSON>>.create { observer in
        var subscriptions: [any Disposable] = []
        for (number, done) in done.enumerated() {
          subscriptions.append(
            clock.schedule(after: .seconds(20) * (number + 1)) { report(.progress(LoadProgress(done: done))) })
        }
        let end = Observable<Int>.timer(.seconds(20) * (done.count + 1), on: clock).flatMap { _ in page }
        subscriptions.append(end.subscribe(observer.on))
        return AnyDisposable { for subscription in subscriptions { subscription.dispose() } }
      }
    }
    let source = Source<RawJSON>(
      name: "mine", SourceCapabilities(), load: load, loadItem: { _ in .never() }, write: { _ in .empty() },
      changes: { _ in .never() })
    return source.retrying(name: "mine", on: clock, seed: 1)
  }

  @Test func `growing progress extends the time limit of a try`() {
    #expect(reporting([1, 2, 3, 4, 5]).outcome(on: clock).page?.total == 7)
    #expect(clock.now == .seconds(120))
    #expect(reporting([1, 1, 1, 1, 1]).outcome(on: clock).failure?.code == LoadFailure.Code.timeout.rawValue)
  }

  @Test func `progress extends the time of a load to ten minutes at most`() {
    #expect(reporting(Array(1...100)).outcome(on: clock).failure?.code == LoadFailure.Code.timeout.rawValue)
    #expect((Duration.seconds(570)...Duration.seconds(600)).contains(clock.now))
  }

  @Test func `disposing cancels the running try and the pause`() {
    let hanging = ScriptedSource(on: clock, .never())
    let load = retrying(hanging).load(PageRequest(size: 1)).subscribe { _ in }
    load.dispose()
    #expect(hanging.calledOff == 1)
    let failing = ScriptedSource(on: clock, passing)
    let pause = retrying(failing).load(PageRequest(size: 1)).subscribe { _ in }
    pause.dispose()
    clock.run()
    #expect(failing.asked.count == 1)
    #expect(clock.now == .zero)
  }

  @Test func `a seed determines the pauses`() {
    func times(_ seed: UInt64) -> [Duration] {
      let clock = VirtualScheduler()
      let base = ScriptedSource(on: clock, passing)
      _ = base.source.retrying(name: "mine", on: clock, seed: seed).outcome(on: clock)
      return base.asked
    }
    #expect(times(1) == times(1))
    #expect(times(1) != times(2))
  }

  @Test func `each load counts its own tries`() {
    let base = ScriptedSource(on: clock, passing)
    let source = retrying(base)
    _ = source.outcome(on: clock)
    _ = source.outcome(on: clock)
    #expect(base.asked.count == 10)
  }

  @Test(arguments: 1...64) func `a pause is between half and all of its maximum, which has a limit`(tries: Int) {
    var random = SplitMix64(seed: UInt64(tries))
    let policy = RetryPolicy()
    let pause = policy.pause(after: tries, using: &random)
    #expect(pause >= policy.firstPause / 2)
    #expect(pause <= policy.longestPause)
    if tries > 6 { #expect(pause >= policy.longestPause / 2) }
  }
}
