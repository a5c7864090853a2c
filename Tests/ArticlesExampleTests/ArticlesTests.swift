import FlowTesting
import Nagare
import Testing

@testable import ArticlesExample

struct ArticlesTests {
  let m = Marbles()
  let view: Opened<Articles>

  init() {
    let clock = m.clock
    // Page 3 fails; each of the others has one article.
    let articles = Articles { request in
      let page = request.key(first: 1)
      guard page < 3 else { return .error(LoadFailure(.unreachable, "there is no page \(page)")) }
      let article = Article(id: "a\(page)", title: "On page \(page)")
      return .just(Page([article], next: page + 1)).delay(.milliseconds(300), on: clock)
    }
    view = Opened(articles, on: clock)
  }

  @Test func `a burst of reachBottom while loading asks for one page`() {
    let items = m.record(view.output.items) { Character("\($0.count)") }
    let loading = m.record(view.output.loading)
    m.play("-r--------------", into: view.input.refresh)
    m.play("------bbb-------", into: view.input.reachBottom)
    m.clock.run(until: .seconds(2))
    items.expect("0---1----2------")
    loading.expect("ft--f-t--f------")
  }

  @Test func `a refresh drops the page that is on its way`() {
    let items = m.record(view.output.items) { Character("\($0.count)") }
    let loading = m.record(view.output.loading)
    m.play("-r----r---------", into: view.input.refresh)
    m.play("-----b----------", into: view.input.reachBottom)
    m.clock.run(until: .seconds(2))
    items.expect("0---1-----------")
    loading.expect("ft--ft---f------")
  }

  @Test func `a failure is sent, the items stay, and the list can load again`() {
    let items = m.record(view.output.items) { Character("\($0.count)") }
    let error = m.record(view.output.error) { $0 == nil ? "n" : "e" }
    m.play("-r-----------------------", into: view.input.refresh)
    m.play("-----b----------b----------b", into: view.input.reachBottom)
    m.clock.run(until: .seconds(3))
    items.expect("0---1---2-------")
    error.expect("n---------------e----------e")
    #expect(error.elements.last??.message == "there is no page 3")
    #expect(error.elements.last??.trigger == "reachBottom")
    #expect(error.elements.last??.number == 2)
  }

  @Test func `a listed article is opened, another one refused`() throws {
    let opened = m.record(view.output.opened) { _ in "o" }
    try view.input.refresh.send()
    m.clock.run()
    try view.input.select.send("a1")
    #expect(throws: RPCError.self) { try view.input.select.send("a2") }
    #expect(opened.elements.map(\.title) == ["On page 1"])
  }
}
