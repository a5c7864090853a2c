import FlowTesting
import Testing

@testable import Flow

/// Every order of a few events, compared with a model that is too simple to be wrong.
@Suite struct EveryOrderTests {
  enum Action: CaseIterable { case start, retry, cancel, answer, fail, subscribe, unsubscribe, close }

  /// The source's reaction to a request.
  enum Source: CaseIterable { case waits, answers, fails }

  @Test(arguments: Source.allCases) func `every order of four events leads to the model's state`(_ source: Source) {
    var checked = 0
    func extend(_ actions: [Action], _ more: Int) {
      let world = World(source)
      for action in actions { world.perform(action) }
      checked += 1
      guard world.isAsInTheModel else {
        Issue.record("\(actions) of a source that \(source):\n\(world.said)\n\(world.model.said)")
        return
      }
      if more > 0 { for action in Action.allCases { extend(actions + [action], more - 1) } }
    }
    extend([], 4)
    extend([.subscribe], 4)
    #expect(checked == 2 * (1 + 8 + 64 + 512 + 4096))
  }
}

extension EveryOrderTests {
  /// The model of a load.
  final class Model {
    let source: Source
    private(set) var said: [String] = []
    private var subscribers = 0
    private var isClosed = false
    private var isWanted = false
    private var value = 0
    private var failure = 0
    private var failures = 0
    /// The call whose run is in progress; nil if there is no run, 0 for a run that no call has begun.
    private var run: Int?
    private var calls = 0
    private var last: [String] = []

    init(_ source: Source) { self.source = source }

    var isRunning: Bool { run != nil }

    func perform(_ action: Action, _ number: Int) {
      var over: [String] = []
      switch action {
      case .start, .retry:
        calls += 1
        guard !isClosed, action == .start || failure > 0 else {
          over.append("call \(calls) nothing")
          break
        }
        drop(&over)
        (isWanted, failure) = (true, 0)
        if subscribers > 0 { begin(calls, number, &over) } else { over.append("call \(calls) nothing") }
      case .cancel:
        guard !isClosed else { break }
        isWanted = false
        drop(&over)
      // Only beginning or resetting the work clears its failure.
      case .answer: if run != nil { end(number, true, &over) }
      case .fail: if run != nil { end(number, false, &over) }
      case .subscribe:
        subscribers += 1
        if subscribers == 1, isWanted { begin(0, number, &over) }
        said.append(now)
        last.append(now)
        send(last.count - 1)
        said += over
        return
      case .unsubscribe: leave(&over)
      case .close:
        isClosed = true
        while subscribers > 0 { leave(&over) }
      }
      send(last.count)
      said += over
    }

    private var now: String { "\(value) \(isWanted) \(failure)" }

    private func send(_ count: Int) {
      for place in 0..<count where last[place] != now {
        last[place] = now
        said.append(now)
      }
    }

    private func begin(_ call: Int, _ number: Int, _ over: inout [String]) {
      run = call
      said.append("begin")
      switch source {
      case .waits: break
      case .answers: end(number, true, &over)
      case .fails: end(number, false, &over)
      }
    }

    private func end(_ number: Int, _ isAnswer: Bool, _ over: inout [String]) {
      let call = run ?? 0
      (run, isWanted) = (nil, false)
      if isAnswer {
        value = number
      } else {
        failures += 1
        failure = failures
      }
      if call > 0 { over.append("call \(call) \(isAnswer ? "finished" : "failed")") }
    }

    private func drop(_ over: inout [String]) {
      guard let call = run else { return }
      run = nil
      said.append("drop")
      if call > 0 { over.append("call \(call) dropped") }
    }

    private func leave(_ over: inout [String]) {
      guard subscribers > 0 else { return }
      subscribers -= 1
      last.removeFirst()
      if subscribers == 0 { drop(&over) }
    }
  }

  /// The real load, next to the model.
  final class World {
    private struct State {
      var load = Load<Int>()
      var shown: Shown { Shown(value: load.value ?? 0, isRunning: load.isRunning, failure: load.failure?.number ?? 0) }
    }
    private struct Shown: Equatable {
      let value: Int
      let isRunning: Bool
      let failure: Int
    }

    let model: Model
    private(set) var said: [String] = []
    private let state = Feedback(State(), on: VirtualScheduler())
    private let start = Trigger()
    private let retry = Trigger()
    private let cancel = Trigger()
    private var subscriptions: [any Disposable] = []
    private var answer: Observer<Int>?
    private var calls = 0
    private var number = 0

    init(_ source: Source) {
      model = Model(source)
      state.on(start) { $0.load.start() }
      state.on(retry) { $0.load.retry() }
      state.on(cancel) { $0.load.cancel() }
      state.react(to: \.load) { [unowned self] _ in
        .create { [unowned self] observer in
          said.append("begin")
          switch source {
          case .waits: answer = observer
          case .answers: observer.onNext(number)
          case .fails: observer.onError(MarbleError())
          }
          return AnyDisposable { [unowned self] in
            if self.answer === observer, !hasEnded { said.append("drop") }
          }
        }
      }
    }

    private var hasEnded = false

    func perform(_ action: Action) {
      number += 1
      switch action {
      case .start: call(start)
      case .retry: call(retry)
      case .cancel: cancel.on(.next(()))
      case .answer: end { $0.onNext(number) }
      case .fail: end { $0.onError(MarbleError()) }
      case .subscribe:
        subscriptions.append(
          state.shown.subscribe { [unowned self] in said.append("\($0.value) \($0.isRunning) \($0.failure)") })
      case .unsubscribe: if !subscriptions.isEmpty { subscriptions.removeFirst().dispose() }
      case .close:
        for port in [start, retry, cancel] { port.close() }
        for subscription in subscriptions { subscription.dispose() }
        subscriptions = []
      }
      model.perform(action, number)
    }

    var isAsInTheModel: Bool { said == model.said && (state.core.runs.value == (model.isRunning ? 1 : 0)) }

    /// A source whose run was dropped may answer, too.
    private func end(_ end: (Observer<Int>) -> Void) {
      guard let answer else { return }
      hasEnded = true
      end(answer)
      end(answer)
      hasEnded = false
    }

    private func call(_ port: Trigger) {
      calls += 1
      let name = "call \(calls)"
      _ = port.receive((), whenOver: { [unowned self] in said.append("\(name) \($0)") })
    }
  }
}
