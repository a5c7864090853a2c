import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

/// A search whose source lists the letters of the query after 300 ms. For an empty query it lists the first letters of
/// the alphabet.
private struct SearchStage {
  let m = Marbles()
  let input = Search.Input()
  let asked: Recording<String>
  let items: Recording<String>
  let loading: Recording<Bool>
  let query: Recording<String>
  let noResult: Recording<Bool>
  let scrolls: Recording<Character>

  init(
    onRefresh: OnRefresh = .clear, delay: Duration = .milliseconds(300),
    answer: ((String) -> Observable<Page<RawJSON>>)? = nil
  ) {
    var settings = ListSettings()
    settings.options.onRefresh = onRefresh
    let queries = PublishSubject<String>()
    asked = m.record(queries.asObservable()) { $0.first ?? "0" }
    let clock = m.clock
    let search = Search(
      settings, debounce: .milliseconds(200),
      Source<RawJSON> { request in
        .deferred {
          queries.onNext(request.query ?? "")
          return answer?(request.query ?? "")
            ?? .just(page(request.query ?? "abc", next: "2")).delay(delay, on: clock)
        }
      })
    let output = search.transform(input, on: clock)
    items = m.record(output.list.items.map(\.letters)) { $0.first ?? "0" }
    loading = m.record(output.list.loading)
    query = m.record(output.query.map(\.string)) { $0.first ?? "0" }
    noResult = m.record(output.noResult)
    scrolls = m.record(output.scrollToTop.map { _ in "s" as Character })
  }
}

/// The texts for the letters of a diagram.
private let texts: [Character: String] = ["a": "a", "b": "b", "n": "n"]

@Suite struct SearchTests {
  @Test func `a search begins when nothing was typed for 200 ms`() {
    let stage = SearchStage()
    stage.m.play("ab---------", into: stage.input.search, values: texts)
    stage.m.clock.run(until: .seconds(1))
    stage.asked.expect("  ---b-------")
    stage.query.expect("  0--b-------")
    stage.items.expect("  0-----b----")
    stage.loading.expect("f--t--f----")
    stage.scrolls.expect("------s----")
  }

  @Test func `a newer text replaces a running search`() {
    let stage = SearchStage(delay: .milliseconds(500))
    stage.m.play("a--b----------", into: stage.input.search, values: texts)
    stage.m.clock.run(until: .seconds(1.3))
    stage.asked.expect("  --a--b--------")
    stage.items.expect("  0---------b---")
    stage.loading.expect("f-t-------f---")
  }

  @Test func `an equal text starts no other search`() {
    let stage = SearchStage()
    stage.m.play("a---a-ba---a-", into: stage.input.search, values: texts)
    stage.m.clock.run(until: .seconds(1.2))
    stage.asked.expect("--a----------")
  }

  @Test func `cancelSearch lists everything immediately and drops the typed text`() {
    let stage = SearchStage()
    stage.m.play("a-----b------", into: stage.input.search, values: texts)
    stage.m.play("-------c-----", into: stage.input.cancelSearch)
    stage.m.clock.run(until: .seconds(1.2))
    stage.asked.expect("--a----0-----")
    stage.query.expect("0-a----0-----")
    stage.items.expect("0----a-0--a--")
  }

  @Test func `cancelSearch without a query does nothing`() {
    let stage = SearchStage()
    stage.m.play("-c-", into: stage.input.cancelSearch)
    stage.m.play("a--", into: stage.input.search, values: texts)
    stage.m.clock.run(until: .seconds(1))
    #expect(stage.asked.elements.isEmpty)
  }

  @Test func `a refresh keeps the query and doesn't scroll`() {
    let stage = SearchStage()
    stage.m.play("a----------", into: stage.input.search, values: texts)
    stage.m.play("------r----", into: stage.input.list.refresh)
    stage.m.clock.run(until: .seconds(1))
    stage.asked.expect("  --a---a----")
    stage.scrolls.expect("-----s-----")
  }

  @Test func `a text that is typed before the view appears is its first query`() {
    let stage = SearchStage()
    stage.m.play("a----------", into: stage.input.search, values: texts)
    stage.m.play("----v------", into: stage.input.list.viewWillAppear)
    stage.m.clock.run(until: .seconds(1))
    stage.asked.expect("  --a--------")
  }

  @Test func `noResult is true after an empty search until the next begins`() {
    let stage = SearchStage { text in text == "n" ? .just(page("")) : .just(page(text)) }
    stage.m.play("n---a------", into: stage.input.search, values: texts)
    stage.m.clock.run(until: .seconds(1))
    stage.noResult.expect(" f-t---f----")
    stage.scrolls.expect("  --s---s----")
  }

  @Test func `retry repeats a failed search with its text`() {
    var tries = 0
    let stage = SearchStage { text in
      tries += 1
      return tries == 1 ? .error(broken) : .just(page(text))
    }
    stage.m.play("a----------", into: stage.input.search, values: texts)
    stage.m.play("-----r-----", into: stage.input.list.retry)
    stage.m.clock.run(until: .seconds(1))
    stage.asked.expect("  --a--a-----")
    stage.items.expect("  0----a-----")
    stage.scrolls.expect("-----s-----")
  }

  @Test func `with keep the items of the previous search stay until the answer`() {
    let stage = SearchStage(onRefresh: .keep)
    stage.m.play("a------b------", into: stage.input.search, values: texts)
    stage.m.clock.run(until: .seconds(1.3))
    stage.items.expect("0----a------b-")
  }
}
