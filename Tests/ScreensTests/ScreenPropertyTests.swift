import Flow
import LetterPages
import Nagare
import Paging
import Randomness
import Testing

@testable import Screens

/// For any order of actions of frontend, source and user, a feed and a screen of tasks equal a model of a few
/// variables.
@Suite struct ScreenPropertyTests {
  @Test(arguments: 0..<8) func `a feed always shows its last page, and its failure until the next refresh`(
    part: Int
  ) throws {
    for seed in part * 1000..<(part + 1) * 1000 {
      var random = SplitMix64(seed: seed)
      let (clock, input) = (VirtualScheduler(), Feed.Input())
      var reply = Reply(using: &random)
      let output = Feed { _ in reply.stream(on: clock) }.transform(input, on: clock)
      var (offers, said, isLoading, failure) = (-1, 0, false, Failure?.none)
      let subscriptions: [any Disposable] = [
        output.offers.subscribe(onNext: { (offers, said) = ($0.count, said + 1) }),
        output.loading.subscribe(onNext: { isLoading = $0 }),
        output.error.subscribe(onNext: { failure = $0 }),
      ]
      var model = (offers: 0, said: 1, hasFailed: false, running: Reply?.none, due: Duration.zero)
      for step in 0..<20 {
        if Bool.random(using: &random) {
          reply = Reply(using: &random)
          (model.hasFailed, model.running) = (false, reply)
          model.due = clock.now + (reply.delay ?? .seconds(1_000_000))
          try input.refresh.send()
        } else {
          clock.advance(by: .milliseconds(Int.random(in: 0...300, using: &random)))
        }
        if let running = model.running, model.due <= clock.now {
          model.running = nil
          // An equal answer isn't sent again.
          if let count = running.count, count != model.offers { (model.offers, model.said) = (count, model.said + 1) }
          model.hasFailed = running.count == nil
        }
        let isAsExpected =
          (offers, said, failure != nil) == (model.offers, model.said, model.hasFailed)
          && isLoading == (model.running != nil)
        #expect(isAsExpected, "seed \(seed), step \(step): \((offers, said, isLoading, failure)), not \(model)")
        if !isAsExpected { return }
      }
      for subscription in subscriptions { subscription.dispose() }
    }
  }

  @Test(arguments: 0..<8) func `a screen of tasks shows one at a time and never blocks`(part: Int) throws {
    for seed in part * 1000..<(part + 1) * 1000 {
      var random = SplitMix64(seed: seed)
      let clock = VirtualScheduler()
      let tasks = Tasks(
        (0..<3).map { index in TaskDefinition("in\(index)", to: "out\(index)") { _ in UserTask("any") { $0 } } })
      let view = Opened(tasks, on: clock)
      let (input, output) = (view.input, view.output)
      var (reply, presented) = (Reply(using: &random), 0)
      input.present.answer = { _ in
        presented += 1
        return reply.outcome(on: clock)
      }
      var (values, failure) = (["null", "null", "null"], Failure?.none)
      let results = output.results.indices.map { index in
        output.results[index].value.subscribe(onNext: { values[index] = $0.text })
      }
      let errors = output.error.subscribe(onNext: { failure = $0 })
      var model = (values: values, presented: 0, failed: Int?.none, running: (Reply, of: Int)?.none, due: Duration.zero)
      for step in 0..<20 {
        let index = Int.random(in: 0..<6, using: &random)
        if index < 3 {
          reply = Reply(using: &random)
          if model.running == nil {
            (model.presented, model.failed, model.running) = (model.presented + 1, nil, (reply, of: index))
            model.due = clock.now + (reply.delay ?? .seconds(1_000_000))
          }
          try input.taps[index].tap.send()
        } else {
          clock.advance(by: .milliseconds(Int.random(in: 0...300, using: &random)))
        }
        if let (running, index) = model.running, model.due <= clock.now {
          model.running = nil
          if let count = running.count, count > 0 { model.values[index] = String(count) }
          model.failed = running.count == nil && !running.isEmpty ? index : nil
        }
        let isAsExpected =
          values == model.values && presented == model.presented
          && failure?.trigger == model.failed.map { "in\($0)" }
        #expect(isAsExpected, "seed \(seed), step \(step): \((values, presented, failure)), not \(model)")
        if !isAsExpected { return }
      }
      for subscription in results + [errors] { subscription.dispose() }
    }
  }
}

/// The other side's answer: immediate, late or never, and with items, without any, or with a failure.
private struct Reply {
  /// Nil if the answer never comes.
  let delay: Duration?
  /// The number of items; nil for a failure, or for an end without a value.
  let count: Int?
  /// Whether the answer ends without a value.
  let isEmpty: Bool

  init(using random: inout SplitMix64) {
    let delays: [Duration?] = [.zero, .zero, .milliseconds(1), .milliseconds(150), .milliseconds(600), nil]
    delay = delays[Int.random(in: 0..<delays.count, using: &random)]
    let kind = Int.random(in: 0..<6, using: &random)
    isEmpty = kind == 5
    count = kind < 4 ? kind : nil
  }

  func stream(on clock: VirtualScheduler) -> Observable<Page<RawJSON>> {
    after(on: clock) { count.map { .just(page(String("abc".prefix($0)))) } }
  }

  func outcome(on clock: VirtualScheduler) -> Observable<TaskOutcome> {
    after(on: clock) { count.map { .just($0 == 0 ? .cancelled : .completed($0.json)) } }
  }

  private func after<Value>(
    on clock: VirtualScheduler, _ answer: @escaping () -> Observable<Value>?
  ) -> Observable<Value> {
    let answer = Observable<Value>.deferred { answer() ?? (isEmpty ? .empty() : .error(broken)) }
    guard let delay else { return .never() }
    return delay == .zero ? answer : Observable<Int>.timer(delay, on: clock).flatMap { _ in answer }
  }
}
