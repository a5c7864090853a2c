package import Flow
package import Paging
internal import Randomness
package import WireJSON

extension Source<RawJSON> {
  /// The source with loads that are given up when they take too long, and tried again when the failure is retryable.
  ///
  /// Only the last try emits something, so a subscriber sees one long load. An edit is made only once: if the source doesn't
  /// answer, nobody knows whether it made the edit. A watch has no time limit: the list doesn't change until it is answered.
  ///
  /// - Parameters:
  ///   - policy: how often a load is tried, for how long, and the pauses between tries.
  ///   - name: the name of the source in messages of failures.
  ///   - clock: whose time the pauses are.
  ///   - seed: for the random part of the pauses.
  /// - Returns: the source with such loads.
  package func retrying(
    _ policy: RetryPolicy = RetryPolicy(), name: String, on clock: any Scheduler, seed: UInt64
  ) -> Source<RawJSON> {
    let attempts = Attempts(policy, source: name, trouble, on: clock, seed: seed)
    var send = { edit in attempts.once("didn't confirm an edit", write(edit)) }
    if let idMember { send = SourceEdits(idMember: idMember, send).write }
    return Source(
      name: name, capabilities,
      load: { request, report in
        // The report comes just before the page is requested once more: that page contains all edits made by now.
        let growth = ProgressGrowth()
        return attempts.retry("returned no page", growth, onRetry: { report(.retried) }) {
          let pace = ProgressPace(report, on: clock)
          return load(request) { news in
            pace.tell(news)
            growth.record(news)
          }.do(onDispose: pace.dispose)
        }
      },
      loadItem: { id in attempts.retry("returned no item") { loadItem(id) } },
      write: send, changes: changes, trouble: trouble, idMember: idMember)
  }
}

/// Repeats the loads of a source.
private final class Attempts {
  private let policy: RetryPolicy
  private let source: String
  private let trouble: () -> String?
  private let clock: any Scheduler
  private var random: SplitMix64

  init(
    _ policy: RetryPolicy, source: String, _ trouble: @escaping () -> String?, on clock: any Scheduler, seed: UInt64
  ) {
    (self.policy, self.source, self.trouble, self.clock) = (policy, source, trouble, clock)
    random = SplitMix64(seed: seed)
  }

  /// The first value of a stream that is made for each try. Each has a time limit, and all together have one. What a try reports
  /// of its progress gives it its time again, for ``RetryPolicy/totalWithProgress`` at most.
  func retry<Result>(
    _ lateness: String, _ growth: ProgressGrowth? = nil, onRetry: @escaping () -> Void = {},
    _ attempt: @escaping () -> Observable<Result>
  ) -> Observable<Result> {
    .deferred { [self] in
      let start = clock.now
      let deadline = start + policy.total
      var tries = 0
      return Observable.deferred { [self] in
        tries += 1
        if tries > 1 { onRetry() }
        let limit = min(policy.timeout, deadline - clock.now)
        let end = start + policy.totalWithProgress
        return attempt().take(1).timeout(limit, other: lateFailure(lateness), on: clock) { [clock] restart in
          growth?.begin { if clock.now + limit <= end { restart() } }
        }
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

  /// A stream with a time limit.
  func once<Result>(_ lateness: String, _ stream: Observable<Result>) -> Observable<Result> {
    stream.timeout(policy.timeout, other: lateFailure(lateness), on: clock)
  }

  private func lateFailure<Element>(_ reason: String) -> Observable<Element> {
    .deferred { [self] in
      let trouble = trouble().map { "; \($0)" } ?? ""
      return .error(
        LoadFailure(
          .timeout, "the source \"\(source)\" \(reason) in time\(trouble); try again later", isRetryable: true))
    }
  }
}

/// Finds the reports of a try that more is done than before.
private final class ProgressGrowth {
  private var done = 0
  private var onGrowth: () -> Void = {}

  /// A try begins.
  func begin(_ onGrowth: @escaping () -> Void) { (done, self.onGrowth) = (0, onGrowth) }

  func record(_ report: RunReport) {
    guard case .progress(let progress) = report, progress.done > done else { return }
    done = progress.done
    onGrowth()
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
