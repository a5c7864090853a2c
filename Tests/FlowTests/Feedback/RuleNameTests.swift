#if DEBUG || CHECK_INVARIANTS
  @testable import Flow
  import FlowTesting
  import Testing

  /// The names in the report of a step that runs long, in debug builds.
  @Suite struct RuleNameTests {
    struct State {
      var typing = Pause()
      var found = Load<Int>()
    }

    @Test func `each rule is named while it runs`() {
      let clock = VirtualScheduler()
      var names: [String?] = []
      clock.timers.ruleChanged = { names.append($0) }
      let search = Trigger()
      search.name = "search"
      let state = Feedback(State(), on: clock)
      state.on(search) { $0.typing.start() }
      state.on(\.typing, after: .milliseconds(300)) { $0.found.start() }
      state.react(to: \.found) { _ in .just(1) }
      state.on(finished: \.found) { _, _ in }
      let subscription = state.found.value.subscribe { _ in }
      names = []
      _ = search.receive(())
      clock.advance(by: .milliseconds(300))
      subscription.dispose()
      func named(_ name: String) -> String { "\(name) of \(String(reflecting: State.self))" }
      #expect(
        names == [
          named("on(search)"), named("its outputs"), nil,
          named("on(search)"), named(#"on(\State.typing, after:)"#), named(#"react(to: \State.found)"#),
          named(#"on(finished: \State.found)"#), named("its outputs"), nil,
        ])
    }
  }
#endif
