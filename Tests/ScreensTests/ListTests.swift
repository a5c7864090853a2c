import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct ListTests {
  let m = Marbles()

  @Test func `the first appearance loads the first page, and reachBottom the next ones`() {
    let list = ListStage("ab", "cd", "e", marbles: m)
    m.play("-a----a", into: list.input.viewWillAppear)
    m.play("------b---------b---------b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(4))
    list.requests.expect("-1----2---------3")
    list.items.expect("   0---2----4---------5")
    list.loading.expect(" ft--f-t--f------t--f")
    #expect(list.listed == "abcde")
  }

  @Test func `nothing is loaded before the view appears`() {
    let list = ListStage("ab", "cd", marbles: m)
    m.play("--b-", into: list.input.reachBottom)
    m.play("---l", into: list.input.loadMore)
    m.play("----t", into: list.input.retry)
    m.clock.run(until: .seconds(1))
    list.requests.expect("")
    list.loading.expect("f")
  }

  @Test func `a refresh before the first appearance loads, and the appearance then doesn't`() {
    let list = ListStage("ab", marbles: m)
    m.play("-r", into: list.input.refresh)
    m.play("--a----a", into: list.input.viewWillAppear)
    m.clock.run(until: .seconds(1))
    list.requests.expect("-1")
    list.loading.expect("ft--f")
  }

  @Test func `the state has the newest load's trigger and phase`() {
    let list = ListStage("ab", "c", marbles: m)
    let state = m.record(list.output.state) { Character(String($0.count)) }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(1))
    state.expect("00--22--3")
    #expect(state.elements.map(\.phase) == [.nothing, .requesting, .requestFinished, .requesting, .reachedBottom])
    #expect(state.elements.map(\.trigger) == [.appear, .appear, .appear, .reachBottom, .reachBottom])
  }

  // MARK: - Defects of an earlier list

  @Test func `an edit stays after the next page has loaded`() {
    let list = ListStage("ab", "cd", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----A", into: list.input.change.port, values: ["A": .item(item("A"))])
    m.play("------b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(1))
    #expect(list.items.elements == ["", "ab", "Ab", "Abcd"])
  }

  @Test func `an edit during the next page's load stays`() {
    let list = ListStage("ab", "cd", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----b", into: list.input.reachBottom)
    m.play("------B", into: list.input.change.port, values: ["B": .item(item("B"))])
    m.clock.run(until: .seconds(1))
    #expect(list.items.elements == ["", "ab", "aB", "aBcd"])
  }

  @Test(arguments: ["-----b---------b", "-----b-b--------", "-----bbbbbbbbbbbb", "-----(bb)-------"])
  func `reachBottom during a load doesn't request a page twice`(bottom: String) {
    let list = ListStage(marbles: m) { [m] key, _ in
      .just(page(key == "1" ? "ab" : "cd", next: "2")).delay(.milliseconds(key == "1" ? 300 : 1500), on: m.clock)
    }
    m.play("-a", into: list.input.viewWillAppear)
    m.play(Diagram(bottom), into: list.input.reachBottom)
    m.clock.run(until: .milliseconds(1900))
    list.requests.expect("-1---2")
    list.loading.expect("ft--ft")
  }

  @Test func `items that shift between pages are listed once`() {
    // While the first page was loading, a new item arrived before it. So the second page repeats the last item of the
    // first.
    let list = ListStage("abc", "cde", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(1))
    #expect(list.listed == "abcde")
  }

  @Test func `a page with a listed item updates it in its place`() {
    let list = ListStage("abc", "Bd", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(1))
    #expect(list.listed == "aBcd")
  }

  @Test func `a late answer to an old request is ignored`() {
    let source = PublishSubject<Page<RawJSON>>()
    // The source sends the old answer to any subscriber that is left.
    let list = ListStage(marbles: m) { _, number in
      number == 0 ? source.asObservable() : .never()
    }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("--r", into: list.input.refresh)
    m.play("---o", into: source, values: ["o": page("old")])
    m.clock.run(until: .seconds(1))
    list.requests.expect("-11")
    list.items.expect("0")
    list.loading.expect("ft")
    #expect(!source.hasObservers)
  }

  @Test func `a refresh during the next page's load ends that load`() {
    let pages = [m.cold("---a|", values: ["a": page("ab", next: "2")]), m.cold("-----c|", values: ["c": page("cd")])]
    let again = m.cold("-x|", values: ["x": page("xy")])
    let list = ListStage(marbles: m) { _, number in number < 2 ? pages[number].stream : again.stream }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----b", into: list.input.reachBottom)
    m.play("--------r", into: list.input.refresh)
    m.clock.run(until: .seconds(2))
    pages[1].expectSubscriptions("-----^--!")
    list.requests.expect("-1---2--1")
    list.items.expect("0---2---02")
    list.loading.expect("ft--ft---f")
    #expect(list.listed == "xy")
  }

  @Test func `a source that answers immediately doesn't change loading`() {
    let list = ListStage(marbles: m) { key, _ in .just(page(key == "1" ? "ab" : "cd", next: key == "1" ? "2" : nil)) }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("---b", into: list.input.reachBottom)
    m.play("-----r", into: list.input.refresh)
    m.clock.run(until: .seconds(1))
    list.requests.expect("-1-2-1")
    list.loading.expect("f")
    list.items.expect("02-4-2")
  }

  @Test func `an old load's answer during a refresh isn't used for the refresh`() {
    // The old load answers exactly while the state with the refresh is being sent.
    let source = PublishSubject<Page<RawJSON>>()
    let list = ListStage(marbles: m) { _, number in number == 0 ? source.asObservable() : .never() }
    let subscription = list.output.state.subscribe(onNext: { state in
      guard state.trigger == .appear, state.phase == .requesting else { return }
      list.input.refresh.on(.next(()))
      source.onNext(page("old"))
    })
    m.play("-a", into: list.input.viewWillAppear)
    m.clock.run(until: .seconds(1))
    list.items.expect("0")
    list.loading.expect("ft")
    list.requests.expect("-(11)")
    subscription.dispose()
  }

  // MARK: - Selections and changes

  @Test func `each select opens a separate pager`() {
    let list = ListStage("ab", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----ab-a", into: list.input.select, values: ["a": id("a"), "b": id("b")])
    m.clock.run(until: .seconds(1))
    list.pagers.expect("-----pp-p")
  }

  @Test func `an item that isn't listed can't be selected`() throws {
    let list = ListStage("ab", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.clock.run(until: .seconds(1))
    let refusal = try #require(throws: RPCError.self) { try list.input.select.send(id("z")) }
    #expect(refusal.code == RPCError.Code.invalidParams.rawValue)
    list.pagers.expect("")
  }

  @Test func `a list without a detail opens nothing`() throws {
    let list = List(ListSettings()) { _ in .just(page("ab")) }
    let input = List.Input()
    let output = list.transform(input, on: m.clock)
    let (items, navigate) = (m.record(output.items.map(\.count)), m.record(output.navigate) { _ in "n" })
    try input.viewWillAppear.send()
    try input.select.send(id("a"))
    items.expect("(02)")
    navigate.expect("")
  }

  @Test func `a change of an item that isn't listed changes nothing`() {
    let list = ListStage("ab", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("A----Z", into: list.input.change.port, values: ["A": .item(item("A")), "Z": .item(item("Z"))])
    m.clock.run(until: .seconds(1))
    #expect(list.items.elements == ["", "ab"])
  }

  @Test(arguments: ["{}", "[]", "7", #"{"id":null}"#, #"{"id":{}}"#, #"{"ID":"a"}"#])
  func `an item without a usable id is refused`(text: String) throws {
    let list = ListStage("ab", marbles: m)
    let refusal = try #require(throws: RPCError.self) { try list.input.change.port.send(.item(RawJSON(text))) }
    #expect(refusal.data?.json.text.contains(#""param":"item""#) == true)
  }

  @Test func `the page size of the settings is requested from the source`() throws {
    var settings = ListSettings()
    settings.options.pageSize = 7
    var sizes: [Int] = []
    let input = List.Input()
    let output = List(settings) { request in
      sizes.append(request.size)
      return .just(page("ab", next: "2"))
    }.transform(input, on: m.clock)
    let loading = m.record(output.loading)
    try input.viewWillAppear.send()
    try input.loadMore.send()
    loading.expect("f")
    #expect(sizes == [7, 7])
  }
}
