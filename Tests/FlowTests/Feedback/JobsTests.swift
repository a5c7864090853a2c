@testable import Flow
import FlowTesting
import Testing

@Suite struct JobsTests {
  struct State {
    var queued = Jobs<Character, Character>(.queued)
    var parallel = Jobs<Character, Void>(.parallel)
    var lasting = Jobs<Character, Void>(.parallel, outlivesSubscribers: true)
    var done = ""
  }

  let m = Marbles()
  let add = Port<Character>()
  let cancel = Trigger()
  let state: Feedback<State>

  init() {
    add.name = "add"
    state = Feedback(State(), on: m.clock)
  }

  @Test func `queued jobs run one after the other`() {
    let source = m.cold("--x")
    var begun = ""
    state.on(add) { $0.queued.add($1) }
    state.react(to: \.queued) { job in
      begun.append(job)
      return source.stream
    }
    let done = m.record(state.finished(\.queued)) { (_: Character) in "x" }
    m.play("-a(bc)", into: add)
    m.clock.run()
    #expect(begun == "abc" && !state.state.queued.isRunning)
    done.expect("---x-x-x")
    source.expectSubscriptions("-^-!", "---^-!", "-----^-!")
  }

  @Test func `parallel jobs run at once, and one failure doesn't stop the others`() {
    let sources: [Character: MarbleSource<Void>] = [
      "a": m.cold("----x", values: ["x": ()]), "b": m.cold("-#", values: [:]), "c": m.cold("-|", values: [:]),
    ]
    state.on(add) { $0.parallel.add($1) }
    state.react(to: \.parallel) { job in sources[job]?.stream ?? .never() }
    state.on(finished: \.parallel) { state, _ in state.done.append("x") }
    let done = m.record(state.done) { Character("\($0.count)") }
    let error = m.record(state.failure) { $0 == nil ? "n" : "e" }
    let loading = m.record(state.isLoading)
    m.play("-a(bc)", into: add)
    m.clock.run()
    done.expect("   0--1-2")
    error.expect("  n--e---")
    loading.expect("ft---f")
    #expect(state.state.parallel.failure?.trigger == "add")
  }

  @Test func `cancelled jobs are dropped`() {
    let source = m.cold("---x", values: ["x": ()])
    state.on(add) { $0.parallel.add($1) }
    state.on(cancel) { $0.parallel.cancelAll() }
    state.react(to: \.parallel) { _ in source.stream }
    let loading = m.record(state.isLoading)
    m.play("-(ab)", into: add)
    m.play("--c", into: cancel)
    m.clock.run()
    loading.expect("ftf")
    source.expectSubscriptions("-^!", "-^!")
    #expect(state.state.parallel.count == 0)
  }

  @Test func `jobs that outlive subscribers finish after all have left, and don't begin again`() {
    let source = m.cold("---x", values: ["x": ()])
    var begun = 0
    state.on(add) { $0.lasting.add($1) }
    state.react(to: \.lasting) { _ in
      begun += 1
      return source.stream
    }
    let loading = m.record(state.isLoading)
    m.play("-a", into: add)
    m.clock.run(until: .milliseconds(200))
    loading.dispose()
    let again = m.record(state.isLoading)
    m.clock.run(until: .milliseconds(300))
    again.dispose()
    m.clock.run()
    #expect(begun == 1 && state.state.lasting.count == 0)
    source.expectSubscriptions("-^--!")
  }

  @Test
  func `unfinished jobs begin again with the next subscriber, and cancelled ones don't`() {
    var (begun, answers) = ("", [Character: PublishSubject<Void>]())
    state.on(add) { $0.parallel.add($1) }
    state.on(cancel) { $0.parallel.cancelAll() }
    state.react(to: \.parallel) { job in
      begun.append(job)
      answers[job] = PublishSubject()
      return answers[job]?.asObservable() ?? .never()
    }
    func look(_ meanwhile: () -> Void) {
      let subscription = state.isLoading.subscribe { _ in }
      meanwhile()
      subscription.dispose()
    }
    look {
      for job in "abc" { add.on(.next(job)) }
      answers["b"]?.onNext(())
    }
    add.on(.next("d"))
    look { answers["a"]?.onNext(()) }
    #expect(begun == "abcacd" && state.state.parallel.count == 2)
    look { cancel.on(.next(())) }
    add.on(.next("e"))
    look { add.on(.next("f")) }
    #expect(begun == "abcacdcdef" && state.state.parallel.count == 2)
  }

  @Test func `many jobs at once are found by their numbers`() {
    let answers = (0..<200).map { _ in PublishSubject<Void>() }
    var begun = 0
    state.on(add) { $0.parallel.add($1) }
    state.react(to: \.parallel) { _ in
      begun += 1
      return answers[begun - 1].asObservable()
    }
    let bag = DisposeBag()
    state.isLoading.subscribe { _ in }.disposed(by: bag)
    for _ in answers { add.on(.next("j")) }
    #expect(begun == 200 && state.state.parallel.count == 200)
    for index in answers.indices.map({ ($0 * 7) % 200 }) { answers[index].onNext(()) }
    #expect(state.state.parallel.count == 0 && begun == 200)
  }
}
