import Flow
import FlowTesting
import ItemList
import Paging
import Testing
import WireJSON

@testable import Nagare

/// A list in an author's view model that begins at its end. It has ten items, and the first page has the last two.
@Suite struct AuthorListTests {
  struct Letter: Codable, Identifiable, Equatable { let id: Int }

  struct Log: ViewModel {
    struct Input: Ports {
      let viewport = Port<Viewport>()
      let reachTop = Trigger()
    }
    struct Output: Outputs {
      let items: Driver<Items<Letter>>
      let scrollTo: Signal<ScrollTarget>
    }
    struct State {
      var letters = Paged<Letter>()
      var scroll = Pulse<ScrollTarget>()
    }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.react(
        to: \.letters,
        by: PagedList(pageSize: 2) { (before: Int?, size) in
          let end = before ?? 10
          let letters = (end - size..<end).map { Letter(id: $0) }
          return .just(Page(letters, previous: end > size ? end - size : nil)).delay(.milliseconds(100), on: clock)
        })
      state.on(input.viewport) { try $0.letters.show($1) }
      state.on(input.reachTop) { $0.letters.previous() }
      state.on(finished: \.letters) { state, _ in state.scroll.fire(ScrollTarget(index: state.letters.count - 1)) }
      return Output(items: state.letters.items, scrollTo: state.scroll)
    }
  }

  @Test func `the screen is a list, and its event has the fields of scrollTo`() {
    let screen = Screen { Log() }
    #expect(ScreenKind(of: ScreenKind.Ports(of: screen)) == .list)
    let event = screen.prototype.outputs.first { $0.name == "scrollTo" }
    #expect(event?.kind == .event && event?.schema.properties.map(\.name) == ["index", "id"])
  }

  @Test func `viewport and reachTop each load the previous page once`() throws {
    let m = Marbles()
    let view = Opened(Log(), on: m.clock)
    let first = m.record(view.output.items) { $0.first.map { Character("\($0.id)") } ?? "n" }
    let scroll = m.record(view.output.scrollTo) { Character("\($0.index)") }
    m.play("--v----v-", into: view.input.viewport, values: ["v": Viewport(start: 0, end: 2)])
    m.play("--t-t----", into: view.input.reachTop)
    m.clock.run(until: .seconds(2))
    first.expect(" n8-6-4--2")
    scroll.expect("-1-3-5--7")
    #expect(throws: RPCError.self) { try view.input.viewport.send(Viewport(start: 5, end: 1)) }
  }
}
