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
