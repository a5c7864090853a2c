import Flow
import Nagare
import Paging
import Testing

/// A closed view leaves nothing in memory, even if its feedbacks refer to each other.
@Suite struct ClosedFeedbackTests {
  /// Counts the states in memory.
  private final class Counter {
    var alive = 0
  }

  /// Exists as long as a state does.
  private final class Mark {
    let counter: Counter

    init(_ counter: Counter) {
      self.counter = counter
      counter.alive += 1
    }

    deinit { counter.alive -= 1 }
  }

  private struct Row: Codable, Identifiable { let id: String }

  private struct State {
    let mark: Mark
    var number = 0
    var load = Load<Int>()
    var edits = Jobs<Int, Void>(.queued, outlivesSubscribers: true)
    var check: () -> Int = { 0 }
  }

  private struct Model: ViewModel {
    struct Input: Ports { let add = Trigger() }
    struct Output: Outputs {
      let number: Driver<Int>
      let other: Driver<Int>
    }
    let make: (Input, any Scheduler) -> (Driver<Int>, Driver<Int>)

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let (number, other) = make(input, clock)
      return Output(number: number, other: other)
    }
  }

  private let counter = Counter()

  /// Opens and closes 50 views. Returns how many states are in memory then, without those of the description.
  private func alive(
    reporting errors: inout [String], _ make: @escaping (Model.Input, any Scheduler) -> (Driver<Int>, Driver<Int>)
  ) -> Int {
    let client = Client(Screen("kept") { Model(make: make) })
    var reported: [String] = []
    client.service.onModelError = { reported.append($0) }
    let before = counter.alive
    for _ in 0..<50 {
      client.call("open", #"{"screen":"kept"}"#)
      client.call("add")
      client.call("close")
    }
    errors = reported
    return counter.alive - before
  }

  private func state(on clock: any Scheduler) -> Feedback<State> {
    let state = Feedback(State(mark: Mark(counter)), on: clock)
    state.react(to: \.load) { _ in .never() }
    state.react(to: \.edits) { _ in .never() }
    return state
  }

  @Test func `a list and a state that follow each other are released`() {
    var errors: [String] = []
    let alive = alive(reporting: &errors) { input, clock in
      let state = state(on: clock)
      let pages = { (_: Int?, _: Int, _: Int) -> Observable<Page<Row>> in .never() }
      let list = PagedList<Row>(following: state.number, load: pages).feedback(on: clock)
      state.on(input.add) { $0.number += 1 }
      state.on(list.items) { state, _ in state.load.start() }
      return (state.number, list.isLoading.map { $0 ? 1 : 0 })
    }
    #expect(alive == 0)
    #expect(errors.isEmpty)
  }

  @Test func `two states that follow each other are released`() {
    var errors: [String] = []
    let alive = alive(reporting: &errors) { input, clock in
      let (state, other) = (state(on: clock), state(on: clock))
      state.on(input.add) { $0.number += 1 }
      state.on(other.number) { $0.number = max($0.number, $1) }
      other.on(state.number) { $0.number = max($0.number, $1) }
      return (state.number, other.number)
    }
    #expect(alive == 0)
    #expect(errors.isEmpty)
  }

  @Test func `a state whose rules capture it is released`() {
    var errors: [String] = []
    let alive = alive(reporting: &errors) { input, clock in
      let state = state(on: clock)
      state.on(input.add) { $0.load.start() }
      state.react(to: \.load) { _ in .just(state.state.number) }
      state.on(finished: \.load) { $0.number += $1 + state.one }
      return (state.number, state.number)
    }
    #expect(alive == 0)
    #expect(errors.isEmpty)
  }

  @Test func `a running edit keeps its rules until it is answered`() {
    let answer = PublishSubject<Void>()
    var errors: [String] = []
    let alive = alive(reporting: &errors) { input, clock in
      let state = state(on: clock)
      state.on(input.add) { $0.edits.add(1) }
      state.react(to: \.edits) { _ in answer.asObservable() }
      state.on(finished: \.edits) { changed, _ in changed.number += state.one }
      return (state.number, state.number)
    }
    #expect(alive == 50)
    #expect(errors.isEmpty)
    let before = counter.alive
    answer.onNext(())
    #expect(before - counter.alive == 50)
  }

  #if DEBUG
    @Test func `a state that its own value keeps in memory is reported with its view`() {
      var errors: [String] = []
      let alive = alive(reporting: &errors) { input, clock in
        let state = state(on: clock)
        state.on(input.add) { [state] in $0.check = { state.state.number } }
        return (state.number, state.number)
      }
      #expect(alive == 50)
      #expect(errors.count == 50)
      #expect(errors.first?.hasPrefix(#"model (view "v1", screen "kept"): the view is closed"#) == true)
    }
  #endif
}

extension Feedback {
  /// Doesn't read the state, because a step may read the state only by its parameter.
  fileprivate var one: Int { 1 }
}
