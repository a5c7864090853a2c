package import Flow
package import Paging
internal import Randomness
package import WireJSON

extension Source<RawJSON> {
  /// Returns the source with a time limit for each load, and with a repetition of loads whose failure is retryable.
  ///
  /// Only the last try sends a result, so a subscriber sees one long load. An edit is sent only once: if the source
  /// doesn't answer, it is unknown whether it made the edit. A watch has no time limit: the list doesn't change until
  /// it is answered.
  ///
  /// - Parameters:
  ///   - policy: the number of tries, the time limits, and the pauses between tries.
  ///   - name: the name of the source in messages.
  ///   - clock: the clock that times the pauses.
  ///   - seed: the seed of the random part of the pauses.
  /// - Returns: the source with these loads.
  package func retrying(
    _ policy: RetryPolicy = RetryPolicy(), name: String, on clock: any Scheduler, seed: UInt64
  ) -> Source<RawJSON> {
    let attempts = Attempts(policy, source: name, trouble, on: clock, seed: seed)
    var send = { edit in attempts.once("didn't confirm an edit", write(edit)) }
    if let idMember { send = SourceEdits(idMember: idMember, send).write }
    return Source(
      name: name, capabilities,
      load: { request, report in
        // This report comes just before the page is requested again. That page contains all edits that the source has
        // made by now.
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

  /// Returns the first value of a stream that is created for each try. Each try has a time limit, and all tries
  /// together have one. When a try reports more progress, its time limit starts again, for
  /// ``RetryPolicy/totalWithProgress`` at most.
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

  /// Returns a stream with a time limit.
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

/// Finds the reports of a try that show more progress than before.
private final class ProgressGrowth {
  private var done = 0
  private var onGrowth: () -> Void = {}

  /// Starts a new try.
  func begin(_ onGrowth: @escaping () -> Void) { (done, self.onGrowth) = (0, onGrowth) }

  func record(_ report: RunReport) {
    guard case .progress(let progress) = report, progress.done > done else { return }
    done = progress.done
    onGrowth()
  }
}

/// Forwards reports of a load's progress, at most ten times a second.
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
