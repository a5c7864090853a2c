@testable import Flow
import FlowTesting
import Testing

/// The effects of the first subscriber and of the end of the last one on a state.
@Suite final class LifecycleTests {
  struct State {
    var draft = ""
    var opened = 0
    var text = Load<String>()
    var saving = Jobs<String, Void>(.queued, outlivesSubscribers: true)
  }

  let m = Marbles()
  let write = Port<Character>()
  let state: Feedback<State>
  var saved: [String] = []

  init() {
    write.name = "write"
    state = Feedback(State(), on: m.clock)
    state.onOpen {
      $0.opened += 1
      $0.text.start()
    }
    state.onClose { $0.saving.add($0.draft) }
    state.on(write) { $0.draft.append($1) }
    state.react(to: \.text) { _ in .just("old") }
    state.on(finished: \.text) { $0.draft = $1 }
    state.react(to: \.saving) { [unowned self] draft in
      saved.append(draft)
      return .just(()).delay(.milliseconds(100), on: m.clock)
    }
  }

  @Test func `the first subscriber opens the state, and the last one to leave closes it`() {
    #expect(state.state.opened == 0)
    let draft = state.draft.subscribe { _ in }
    let opened = state.opened.subscribe { _ in }
    #expect(state.state.opened == 1 && state.state.draft == "old")
    m.play("a", into: write)
    m.clock.run()
    draft.dispose()
    #expect(saved == [])
    opened.dispose()
    #expect(saved == ["olda"])
    m.clock.run()
    #expect(!state.state.saving.isRunning, "what is saved outlives the last subscriber")
  }

  @Test func `a view that is never opened isn't closed`() {
    m.play("a", into: write)
    m.clock.run()
    state.core.close()
    #expect(saved == [] && state.state.opened == 0)
  }

  @Test func `closing a feedback runs the closing rules once`() {
    let draft = state.draft.subscribe { _ in }
    draft.dispose()
    state.core.close()
    m.clock.run()
    #expect(saved == ["old"])
  }

  @Test func `the end of the input closes once, and counts as running until the work ends`() {
    let draft = state.draft.subscribe { _ in }
    state.core.endInput()
    #expect(saved == ["old"] && state.core.hasRuns)
    state.core.endInput()
    draft.dispose()
    m.clock.run()
    #expect(saved == ["old"] && !state.state.saving.isRunning)
  }

  /// Tests every order of up to five events, and compares the saved values with those of a simple model.
  @Test func `in every order the state opens with the first subscriber and saves with the last`() {
    enum Event: CaseIterable { case subscribe, unsubscribe, write, endInput, close }
    var orders: [[Event]] = [[]]
    for _ in 0..<5 { orders = orders.flatMap { order in Event.allCases.map { order + [$0] } } }
    for order in orders {
      let world = LifecycleTests()
      var subscriptions: [any Disposable] = []
      var (draft, opened, expected) = ("", 0, [String]())
      var (isInputEnded, isClosed) = (false, false)
      for event in order {
        switch event {
        case .subscribe:
          if subscriptions.isEmpty, !isClosed { (draft, opened) = ("old", opened + 1) }
          subscriptions.append(world.state.draft.subscribe { _ in })
        case .unsubscribe:
          guard let last = subscriptions.popLast() else { continue }
          last.dispose()
          if subscriptions.isEmpty, !isInputEnded, !isClosed { expected.append(draft) }
        case .write:
          if !isClosed { draft.append("a") }
          _ = world.write.receive("a")
        case .endInput:
          world.state.core.endInput()
          if !subscriptions.isEmpty, !isInputEnded, !isClosed { (isInputEnded, expected) = (true, expected + [draft]) }
        case .close:
          world.state.core.close()
          if !subscriptions.isEmpty, !isInputEnded, !isClosed { expected.append(draft) }
          isClosed = true
        }
        world.m.clock.advance(by: .seconds(1))
      }
      #expect(world.saved == expected && world.state.state.opened == opened, "\(order)")
      for subscription in subscriptions { subscription.dispose() }
    }
  }
}
