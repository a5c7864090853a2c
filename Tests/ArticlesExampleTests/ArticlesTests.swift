import Flow
import FlowTesting
import Nagare
import Testing

@testable import ArticlesExample

struct ArticlesTests {
  let m = Marbles()
  let input = Articles.Input()
  let output: Articles.Output

  init() {
    let clock = m.clock
    // Page 3 fails; each of the others has one article.
    let articles = Articles { page in
      guard page < 3 else { return .error(LoadFailure(.unreachable, "no page \(page)")) }
      let article = Article(id: "a\(page)", title: "On page \(page)")
      return .just(ArticlePage(articles: [article], next: page + 1)).delay(.milliseconds(300), on: clock)
    }
    output = articles.transform(input, on: clock)
  }

  @Test func `a burst of reachBottom while loading asks for one page`() {
    let items = m.record(output.items) { Character("\($0.count)") }
    let loading = m.record(output.loading)
    m.play("-r--------------", into: input.refresh)
    m.play("------bbb-------", into: input.reachBottom)
    m.clock.run(until: .seconds(2))
    items.expect("0---1----2------")
    loading.expect("ft--f-t--f------")
  }

  @Test func `a refresh while a page is on its way starts again, and drops that page`() {
    let items = m.record(output.items) { $0.isEmpty ? "0" : $0.reduce("") { $0 + $1.id } == "a1" ? "1" : "2" }
    m.play("-r----r---", into: input.refresh)
    m.play("-----b----", into: input.reachBottom)
    m.clock.run(until: .seconds(2))
    items.expect("0---1-----")
  }

  @Test func `a failure is told, the items stay, and the list can go on`() {
    let items = m.record(output.items) { Character("\($0.count)") }
    let loading = m.record(output.loading)
    let error = m.record(output.error) { $0 == nil ? "-" : "e" }
    m.play("r---------------------------", into: input.refresh)
    m.play("----b-----------b----------b", into: input.reachBottom)
    m.clock.run(until: .seconds(3))
    items.expect("0--1---2--------------------")
    loading.expect("(ft)--ft--f--------(tf)----------(tf)")
    #expect(error.elements.compactMap { $0?.message } == ["no page 3", "no page 3"])
    #expect(error.elements.last??.trigger == "reachBottom")
  }

  @Test func `selecting a listed article opens it, another id is refused`() throws {
    let opened = m.record(output.opened) { $0.id.last ?? "?" }
    try input.refresh.send()
    m.clock.run()
    try input.select.send("a1")
    #expect(throws: RPCError.self) { try input.select.send("a2") }
    #expect(opened.elements.map(\.title) == ["On page 1"])
  }
}
