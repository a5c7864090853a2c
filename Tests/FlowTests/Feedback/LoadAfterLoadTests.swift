import Testing

@testable import Flow

/// A load after another one: every order of a few events, compared with a model that is too simple to be wrong.
@Suite struct LoadAfterLoadTests {
  enum Event: CaseIterable { case start, answer, fail, reset, startNext, answerNext, failNext }

  @Test func `every order of five events leads both loads to the model's state`() {
    var checked = 0
    func extend(_ events: [Event], _ more: Int) {
      let world = World()
      var model = Model()
      for (number, event) in events.enumerated() {
        world.perform(event, number)
        model.perform(event, number)
      }
      checked += 1
      guard world.asModel == model else {
        Issue.record("\(events):\n\(world.asModel)\n\(model)")
        return
      }
      if more > 0 { for event in Event.allCases { extend(events + [event], more - 1) } }
    }
    extend([], 5)
    #expect(checked == 1 + 7 + 49 + 343 + 2401 + 16807)
  }
}

extension LoadAfterLoadTests {
  /// The model of both loads.
  struct Model: Equatable {
    struct Part: Equatable {
      var value: Int?
      var isRunning = false
      var hasFailed = false
    }

    var first = Part()
    var next = Part()
    /// The values that the second load was requested with.
    var asked: [Int] = []

    mutating func perform(_ event: Event, _ number: Int) {
      switch event {
      case .start: (first.isRunning, first.hasFailed) = (true, false)
      case .answer where first.isRunning:
        first = Part(value: number)
        startNext()
      case .fail where first.isRunning: (first.isRunning, first.hasFailed) = (false, true)
      case .reset: first = Part()
      case .startNext: startNext()
      case .answerNext where next.isRunning: next = Part(value: number)
      case .failNext where next.isRunning: (next.isRunning, next.hasFailed) = (false, true)
      case .answer, .fail, .answerNext, .failNext: break
      }
    }

    private mutating func startNext() {
      (next.isRunning, next.hasFailed) = (first.value != nil, false)
      if let value = first.value { asked.append(value) }
    }
  }

  /// The real loads.
  final class World {
    struct State {
      var first = Load<Int>()
      var next = Load<Int>()
    }
    struct Broken: Error {}

    private let state = Feedback(State(), on: VirtualScheduler())
    private let (start, reset, startNext) = (Trigger(), Trigger(), Trigger())
    /// The answers of all runs. Runs that were dropped also answer, before the current one, and must be ignored.
    private var answers: [PublishSubject<Int>] = []
    private var answersOfNext: [PublishSubject<Int>] = []
    private var asked: [Int] = []
    private let bag = DisposeBag()

    init() {
      state.on(start) { $0.first.start() }
      state.on(reset) { $0.first.reset() }
      state.on(startNext) { $0.next.start() }
      state.react(to: \.first) { [unowned self] _ in
        let subject = PublishSubject<Int>()
        answers.append(subject)
        return subject.asObservable()
      }
      state.react(to: \.next, after: \.first) { [unowned self] value in
        let subject = PublishSubject<Int>()
        asked.append(value)
        answersOfNext.append(subject)
        return subject.asObservable()
      }
      state.isLoading.subscribe { _ in }.disposed(by: bag)
    }

    var asModel: Model {
      func part(_ load: Load<Int>) -> Model.Part {
        Model.Part(value: load.value, isRunning: load.isRunning, hasFailed: load.failure != nil)
      }
      return Model(first: part(state.state.first), next: part(state.state.next), asked: asked)
    }

    func perform(_ event: Event, _ number: Int) {
      switch event {
      case .start: start.on(.next(()))
      case .answer: for answer in answers { answer.onNext(answer === answers.last ? number : -1) }
      case .fail: for answer in answers { answer.onError(Broken()) }
      case .reset: reset.on(.next(()))
      case .startNext: startNext.on(.next(()))
      case .answerNext: for answer in answersOfNext { answer.onNext(answer === answersOfNext.last ? number : -1) }
      case .failNext: for answer in answersOfNext { answer.onError(Broken()) }
      }
    }
  }
}
