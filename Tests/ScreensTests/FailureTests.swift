import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct FailureTests {
  let m = Marbles()

  /// A list whose loads fail at each `#`, and otherwise return the next letter after 200 ms.
  private func list(_ outcomes: String, settings: ListSettings = ListSettings()) -> ListStage {
    ListStage(settings: settings, marbles: m) { [m] _, number in
      let outcome = Array(outcomes)[number]
      let answer: Observable<Page<RawJSON>> =
        outcome == "#" ? .error(broken) : .just(page(String(outcome), next: String(number + 2)))
      return Observable<Int>.timer(.milliseconds(200), on: m.clock).flatMap { _ in answer }
    }
  }

  @Test func `after a failed load the items stay, and reachBottom repeats it`() {
    let list = list("a#b")
    m.play("-a", into: list.input.viewWillAppear)
    m.play("----b---------b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1--2---------2")
    list.items.expect("  0--1------------2")
    list.loading.expect("ft-ft-f-------t-f")
    list.error.expect("  o-----x-------o")
  }

  @Test func `retry repeats only the failed load, once`() {
    let list = list("a#bc")
    m.play("-a", into: list.input.viewWillAppear)
    m.play("----b", into: list.input.reachBottom)
    m.play("--t-t----tt-t--t", into: list.input.retry)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1--2----2")
    list.error.expect("o-----x--o")
    #expect(list.listed == "ab")
  }

  @Test func `retry loads a failed first page again`() {
    let list = list("#a")
    m.play("-a---a", into: list.input.viewWillAppear)
    m.play("--------t", into: list.input.retry)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1------1")
    list.loading.expect("ft-f----t-f")
    #expect(list.listed == "a")
  }

  @Test func `the same failure is reported each time`() {
    let list = list("##")
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----t", into: list.input.retry)
    m.clock.run(until: .seconds(2))
    list.error.expect("o--x-o-x")
    #expect(list.error.elements.compactMap { $0?.trigger } == ["appear", "retry"])
    #expect(list.error.elements.compactMap { $0?.message } == ["broken", "broken"])
  }

  @Test func `after a failed refresh that keeps items they stay, and retry repeats the refresh`() {
    var settings = ListSettings()
    settings.options.onRefresh = .keep
    let list = list("a#z", settings: settings)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----r", into: list.input.refresh)
    m.play("---------t", into: list.input.retry)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1---1---1")
    #expect(list.items.elements == ["", "a", "z"])
  }

  @Test func `after a failed refresh that cleared the list, reachBottom loads the first page`() {
    let list = list("a#z")
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----r", into: list.input.refresh)
    m.play("---------b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1---1---1")
    #expect(list.items.elements == ["", "a", "", "z"])
  }

  @Test func `a refresh clears the failure`() {
    let list = list("#a")
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----r", into: list.input.refresh)
    m.play("----------t", into: list.input.retry)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1---1")
    list.error.expect("o--x-o")
  }

  @Test func `a load fails if its source ends without a page or throws any error`() {
    let list = ListStage(marbles: m) { _, number in
      number == 0 ? .empty() : .error(MarbleError())
    }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("--t", into: list.input.retry)
    m.clock.run(until: .seconds(1))
    list.loading.expect("f")
    list.error.expect("oxx")
    #expect(list.error.elements.compactMap { $0?.code } == [LoadFailure.Code.malformedResponse.rawValue, -32012])
  }

  @Test func `only the first page of a source's stream counts`() {
    let list = ListStage(marbles: m) { _, _ in .concat([.just(page("a")), .just(page("b")), .error(broken)]) }
    m.play("-a", into: list.input.viewWillAppear)
    m.clock.run(until: .seconds(1))
    list.items.expect("01")
    list.error.expect("o")
  }

  @Test func `broken records are reported, and the rest of the page is listed`() throws {
    let faults = (1...3).map { LoadFailure(.badRecord, "record \($0) is broken") }
    let list = ListStage(marbles: m) { _, _ in .just(page("ab", failures: faults)) }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("--t", into: list.input.retry)
    m.clock.run(until: .seconds(1))
    list.items.expect("02")
    list.requests.expect("-1")
    let failure = try #require(list.error.elements.last ?? nil)
    #expect(failure.message == "record 1 is broken (and 2 more on this page)")
    #expect(failure.code == LoadFailure.Code.badRecord.rawValue)
  }

  @Test func `after a page with only broken records the next page is loaded`() {
    let list = ListStage(marbles: m) { key, _ in
      .just(key == "1" ? page("", next: "2", failures: [broken]) : page("ab"))
    }
    m.play("-a", into: list.input.viewWillAppear)
    m.clock.run(until: .seconds(1))
    list.requests.expect("-(12)")
    #expect(list.listed == "ab")
  }

  @Test func `an id that is repeated on a page is listed once and reported`() throws {
    let list = ListStage("abA", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.clock.run(until: .seconds(1))
    #expect(list.listed == "Ab")
    let failure = try #require(list.error.elements.last ?? nil)
    #expect(failure.message.contains(#"two items of one page have the id "a""#))
  }
}
