package import Flow
package import ItemList
package import Paging
internal import RPC
internal import Randomness
package import WireJSON

/// A source whose loads are given up when they take too long, and tried again where the failure may pass.
///
/// Nothing is emitted meanwhile, so whoever waits for the page sees one long load.
package final class RetryingSource<Base: PageSource>: PageSource {
  private let base: Base
  private let name: String
  private let policy: RetryPolicy
  private let clock: any Scheduler
  private var random: SplitMix64

  fileprivate init(_ base: Base, _ policy: RetryPolicy, name: String, on clock: any Scheduler, seed: UInt64) {
    self.base = base
    self.policy = policy
    self.name = name
    self.clock = clock
    random = SplitMix64(seed: seed)
  }

  /// Loads a page, in as many tries as it takes and the policy allows. `report` is called just before the page is asked
  /// for once more, as it will be as new as that; and ten times a second at most with how far it has come.
  package func load(_ request: PageRequest, report: @escaping (RunReport) -> Void) -> Observable<Page<RawJSON>> {
    trying({ report(.retried) }) { [self] limit in
      let pace = ProgressPace(report, on: clock)
      return base.load(request, report: pace.tell).take(1).timeout(limit, other: late("gave no page"), on: clock)
        .do(onDispose: pace.dispose)
    }
  }

  package func item(_ id: ItemID) -> Observable<RawJSON>? {
    guard let item = base.item(id) else { return nil }
    return trying({}) { [self] limit in item.take(1).timeout(limit, other: late("gave no item"), on: clock) }
  }

  private func trying<Result>(
    _ onRetry: @escaping () -> Void, _ attempt: @escaping (_ limit: Duration) -> Observable<Result>
  ) -> Observable<Result> {
    .deferred { [self] in
      let deadline = clock.now + policy.total
      var tries = 0
      return Observable.deferred { [self] in
        tries += 1
        if tries > 1 { onRetry() }
        return attempt(min(policy.timeout, deadline - clock.now))
      }
      .retry { [self] failures in
        failures.flatMap { [self] failure in
          guard tries < policy.tries, (failure as? LoadFailure)?.isRetryable == true else {
            return Observable<Int>.error(failure)
          }
          let pause = policy.pause(after: tries, using: &random)
          return clock.now + pause < deadline ? .timer(pause, on: clock) : .error(failure)
        }
      }
    }
  }

  /// Makes an edit, once: whether it was taken by a source that doesn't answer can't be known.
  package func write(_ edit: SourceEdit) -> Observable<Never>? {
    base.write(edit)?.timeout(policy.timeout, other: late("took no edit"), on: clock)
  }

  /// Tells how the source changes. It takes its time: until it has answered, the list stands still.
  package func changes(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>>? { base.changes(request) }

  private func late<Element>(_ reason: String) -> Observable<Element> {
    .deferred { [base, name] in
      let trouble = base.trouble.map { "; \($0)" } ?? ""
      return .error(
        LoadFailure(
          .timeout, "the source \"\(name)\" \(reason) in time\(trouble); try again later", isRetryable: true))
    }
  }
}

/// Passes on how far a load has come, ten times a second at most.
private final class ProgressPace {
  private let report: (RunReport) -> Void
  private let clock: any Scheduler
  private var pause: (any Disposable)?
  private var latest: RunReport?

  init(_ report: @escaping (RunReport) -> Void, on clock: any Scheduler) { (self.report, self.clock) = (report, clock) }

  func tell(_ newest: RunReport) {
    guard pause == nil else { return latest = newest }
    report(newest)
    pause = clock.schedule(after: .milliseconds(100)) { [unowned self] in
      pause = nil
      guard let latest else { return }
      self.latest = nil
      tell(latest)
    }
  }

  func dispose() {
    pause?.dispose()
    latest = nil
  }
}

extension PageSource {
  /// This source, its loads given up when they take too long and tried again where the failure is retryable. The pauses
  /// between tries grow, up to a limit; the seed makes their share of chance.
  package func retrying(
    _ policy: RetryPolicy = RetryPolicy(), name: String, on clock: any Scheduler, seed: UInt64
  ) -> RetryingSource<Self> {
    RetryingSource(self, policy, name: name, on: clock, seed: seed)
  }
}

/// How often and how long to try a load.
package struct RetryPolicy: Sendable {
  /// How long one try may take.
  package var timeout = Duration.seconds(30)
  /// How many tries there are at most, the first among them.
  package var tries = 5
  /// How long all of them may take, with the pauses between.
  package var total = Duration.seconds(60)
  /// The longest pause before the second try; it doubles with every try.
  package var firstPause = Duration.milliseconds(500)
  /// What no pause is longer than.
  package var longestPause = Duration.seconds(10)

  /// The usual policy: 5 tries of 30 s at most within 60 s, half a second apart at first.
  package init() {}

  /// The longest time to wait after so many tries, which doubles with each.
  func pause(after tries: Int) -> Duration { min(firstPause * (1 << min(tries - 1, 30)), longestPause) }

  /// How long to wait after a try that failed. Half of it is left to chance, so that many who failed together don't come
  /// back together.
  func pause(after tries: Int, using random: inout SplitMix64) -> Duration {
    let pause = pause(after: tries)
    return pause / 2 + pause / 2 * Double.random(in: 0...1, using: &random)
  }
}
