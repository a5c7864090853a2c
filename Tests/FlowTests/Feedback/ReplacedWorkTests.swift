import Testing

@testable import Flow

/// Work in a state whose values are replaced, copied, swapped and restored while runs are in progress: every order of
/// five events, for each kind of work, compared with a simple model.
@Suite struct ReplacedWorkTests {
  enum Action: CaseIterable { case start, reset, replace, copy, swap, keep, putBack, answerOldest, answerNewest }

  /// The effect of a start on a value that is already running.
  enum Kind: CaseIterable { case load, form, queuedJobs, parallelJobs }

  @Test(arguments: Kind.allCases) func `a run belongs to the value in its property`(_ kind: Kind) {
    switch kind {
    case .load:
      check(kind) {
        Load<Int>()
      } start: {
        $0.start()
      }
    case .form:
      check(kind) {
        Form<Int, Int>(0)
      } start: {
        try? $0.submit()
      }
    case .queuedJobs:
      check(kind) {
        Jobs<Int, Int>(.queued)
      } start: {
        $0.add(0)
      }
    case .parallelJobs:
      check(kind) {
        Jobs<Int, Int>(.parallel)
      } start: {
        $0.add(0)
      }
    }
  }

  private func check<E: Effect>(_ kind: Kind, _ fresh: @escaping () -> E, start: @escaping (inout E) -> Void)
  where E.Response == Int {
    var checked = 0
    func extend(_ actions: [Action], _ more: Int) {
      let (world, model) = (World(fresh, start), Model(kind))
      for action in actions {
        world.perform(action)
        model.perform(action)
      }
      checked += 1
      guard world.events == model.events, world.runCount == model.runCount else {
        Issue.record("\(kind) after \(actions):\n\(world.events)\nbut in the model\n\(model.events)")
        return
      }
      if more > 0 { for action in Action.allCases { extend(actions + [action], more - 1) } }
    }
    extend([.start], 4)
    #expect(checked == 1 + 9 + 81 + 729 + 6561)
  }
}

extension ReplacedWorkTests {
  /// A model of values: lists of the runs that they want, each with its own number.
  final class Model {
    private struct Place {
      let name: String
      var wanted: [Int] = []
      var running: [(run: Int, request: Int)] = []
    }

    private let kind: Kind
    private(set) var events: [String] = []
    private var a = Place(name: "a")
    private var b = Place(name: "b")
    private var kept: [Int] = []
    private var runs = 0
    private var answered: [Bool] = []

    init(_ kind: Kind) { self.kind = kind }

    var runCount: Int { a.running.count + b.running.count }

    func perform(_ action: Action) {
      switch action {
      case .start: start()
      case .reset: a.wanted = []
      case .replace:
        a.wanted = []
        start()
      case .copy: b.wanted = a.wanted
      case .swap: (a.wanted, b.wanted) = (b.wanted, a.wanted)
      case .keep: kept = a.wanted
      case .putBack: a.wanted = kept
      case .answerOldest: answered.firstIndex(of: false).map(answer)
      case .answerNewest: answered.lastIndex(of: false).map(answer)
      }
      settle(&a)
      settle(&b)
    }

    private func start() {
      runs += 1
      switch kind {
      case .load: a.wanted = [runs]
      case .form: if a.wanted.isEmpty { a.wanted = [runs] }
      case .queuedJobs, .parallelJobs: a.wanted.append(runs)
      }
    }

    private func answer(_ request: Int) {
      answered[request] = true
      answer(request, at: &a)
      answer(request, at: &b)
    }

    private func answer(_ request: Int, at place: inout Place) {
      guard let index = place.running.firstIndex(where: { $0.request == request }) else { return }
      let run = place.running.remove(at: index).run
      place.wanted.removeAll { $0 == run }
      events.append("\(place.name) takes \(request)")
    }

    private func settle(_ place: inout Place) {
      let due = kind == .queuedJobs ? Array(place.wanted.prefix(1)) : place.wanted
      for (run, request) in place.running.sorted(by: { $0.run < $1.run }) where !due.contains(run) {
        events.append("drops \(request)")
      }
      place.running.removeAll { !due.contains($0.run) }
      for run in due where !place.running.contains(where: { $0.run == run }) {
        events.append("\(place.name) begins \(answered.count)")
        place.running.append((run, answered.count))
        answered.append(false)
      }
    }
  }

  /// The real state. Dropped requests can be answered, too.
  final class World<E: Effect> where E.Response == Int {
    private struct State {
      var a: E
      var b: E
      var kept: E
    }

    private(set) var events: [String] = []
    private let state: Feedback<State>
    private let fresh: () -> E
    private let start: (inout E) -> Void
    private let act = Port<Action>()
    private var requests: [(observer: Observer<Int>, isAnswered: Bool)] = []
    private var subscription: (any Disposable)?

    init(_ fresh: @escaping () -> E, _ start: @escaping (inout E) -> Void) {
      (self.fresh, self.start) = (fresh, start)
      state = Feedback(State(a: fresh(), b: fresh(), kept: fresh()), on: VirtualScheduler())
      state.on(act) { (state: inout State, action) in
        switch action {
        case .start: start(&state.a)
        case .reset: state.a = fresh()
        case .replace:
          state.a = fresh()
          start(&state.a)
        case .copy: state.b = state.a
        case .swap: Swift.swap(&state.a, &state.b)
        case .keep: state.kept = state.a
        case .putBack: state.a = state.kept
        case .answerOldest, .answerNewest: break
        }
      }
      for (name, path) in [("a", \State.a), ("b", \State.b)] {
        state.react(to: path) { [unowned self] (_: E.Request) in request(name) }
        state.on(finished: path) { [unowned self] _, request in events.append("\(name) takes \(request)") }
      }
      subscription = state.a.revision.subscribe { _ in }
    }

    var runCount: Int { state.core.runs.value }

    private func request(_ name: String) -> Observable<Int> {
      .create { [unowned self] observer in
        let number = requests.count
        requests.append((observer, false))
        events.append("\(name) begins \(number)")
        return AnyDisposable { [unowned self] in
          if !requests[number].isAnswered { events.append("drops \(number)") }
        }
      }
    }

    func perform(_ action: Action) {
      switch action {
      case .answerOldest: requests.firstIndex { !$0.isAnswered }.map(answer)
      case .answerNewest: requests.lastIndex { !$0.isAnswered }.map(answer)
      default: act.on(.next(action))
      }
    }

    private func answer(_ number: Int) {
      requests[number].isAnswered = true
      requests[number].observer.onNext(number)
    }
  }
}

// MARK: - Pauses

extension ReplacedWorkTests {
  enum PauseAction: CaseIterable { case start, reset, replace, copy, swap, keep, putBack, wait, waitLonger }

  @Test func `a pause lasts as long as the value in its property`() {
    var checked = 0
    func extend(_ actions: [PauseAction], _ more: Int) {
      let (world, model) = (PauseWorld(), PauseModel())
      for action in actions {
        world.perform(action)
        model.perform(action)
      }
      checked += 1
      guard world.events == model.events else {
        Issue.record("after \(actions):\n\(world.events)\nbut in the model\n\(model.events)")
        return
      }
      if more > 0 { for action in PauseAction.allCases { extend(actions + [action], more - 1) } }
    }
    extend([.start], 4)
    #expect(checked == 1 + 9 + 81 + 729 + 6561)
  }

  /// A model of pauses: the starts that they come from.
  final class PauseModel {
    private(set) var events: [String] = []
    private var started: [String: Int] = [:]
    private var kept: Int?
    private var timers: [String: (start: Int, due: Int, order: Int)] = [:]
    private var armed = 0
    private var starts = 0
    private var now = 0

    func perform(_ action: PauseAction) {
      switch action {
      case .start, .replace:
        starts += 1
        started["a"] = starts
      case .reset: started["a"] = nil
      case .copy: started["b"] = started["a"]
      case .swap: (started["a"], started["b"]) = (started["b"], started["a"])
      case .keep: kept = started["a"]
      case .putBack: started["a"] = kept
      case .wait: run(until: now + 100)
      case .waitLonger: run(until: now + 200)
      }
      for name in ["a", "b"] {
        guard let start = started[name] else {
          timers[name] = nil
          continue
        }
        if timers[name]?.start != start {
          armed += 1
          timers[name] = (start, now + 300, armed)
        }
      }
    }

    private func run(until end: Int) {
      now = end
      for (name, timer) in timers.sorted(by: { $0.value.order < $1.value.order }) where timer.due <= now {
        events.append("\(name) at \(timer.due)")
        (timers[name], started[name]) = (nil, nil)
      }
    }
  }

  final class PauseWorld {
    private struct State {
      var a = Pause()
      var b = Pause()
      var kept = Pause()
    }

    private(set) var events: [String] = []
    private let clock = VirtualScheduler()
    private let state: Feedback<State>
    private let act = Port<PauseAction>()
    private var subscription: (any Disposable)?

    init() {
      state = Feedback(State(), on: clock)
      state.on(act) { (state: inout State, action) in
        switch action {
        case .start: state.a.start()
        case .reset: state.a = Pause()
        case .replace:
          state.a = Pause()
          state.a.start()
        case .copy: state.b = state.a
        case .swap: Swift.swap(&state.a, &state.b)
        case .keep: state.kept = state.a
        case .putBack: state.a = state.kept
        case .wait, .waitLonger: break
        }
      }
      state.on(\.a, after: .milliseconds(300)) { [unowned self] _ in report("a") }
      state.on(\.b, after: .milliseconds(300)) { [unowned self] _ in report("b") }
      subscription = state.a.isRunning.subscribe { _ in }
    }

    private func report(_ name: String) { events.append("\(name) at \(Int(clock.now / .milliseconds(1)))") }

    func perform(_ action: PauseAction) {
      switch action {
      case .wait: clock.run(until: clock.now + .milliseconds(100))
      case .waitLonger: clock.run(until: clock.now + .milliseconds(200))
      default: act.on(.next(action))
      }
    }
  }
}
