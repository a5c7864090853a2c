import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct PagerTests {
  let m = Marbles()
  private var keeping: ListSettings {
    var settings = ListSettings()
    settings.options.onRefresh = .keep
    return settings
  }

  /// A list with its first page loaded.
  private func loaded(_ list: ListStage) throws -> ListStage {
    try list.input.viewWillAppear.send()
    m.clock.run(until: .seconds(1))
    return list
  }

  private let next = Swipe(to: .next, id: nil)
  private let previous = Swipe(to: .previous, id: nil)

  @Test func `a pager begins on its item and moves to the neighbours`() throws {
    let list = try loaded(ListStage("abcd", marbles: m))
    let pager = try list.pager(on: "b", m)
    m.play("-----------n-ppp", into: pager.input.swipe, values: ["n": next, "p": previous])
    m.clock.run(until: .seconds(2))
    pager.page.expect("----------bc-ba")
    let first = try #require(pager.page.elements.last)
    #expect(first.index == 0 && first.count == 4 && !first.hasPrevious && first.hasNext && !first.hasMore)
    #expect(pager.page.elements[1].hasPrevious)
  }

  @Test func `a pager goes to an item by its id, and refuses an id that isn't listed`() throws {
    let list = try loaded(ListStage("abcd", marbles: m))
    let pager = try list.pager(on: "b", m)
    try pager.swipe(to: "d")
    try pager.swipe(to: "a")
    #expect(throws: RPCError.self) { try pager.swipe(to: "z") }
    #expect(throws: RPCError.self) { try pager.input.swipe.send(Swipe(to: nil, id: nil)) }
    pager.page.expect("----------(bda)")
  }

  // MARK: - Loading more

  @Test func `a swipe onto the last loaded item loads the next page for pager and list`() throws {
    let list = try loaded(ListStage("ab", "cd", "e", marbles: m))
    let pager = try list.pager(on: "a", m)
    m.play("------------n----n", into: pager.input.swipe, values: ["n": next])
    m.clock.run(until: .seconds(2))
    list.requests.expect("1-----------2")
    list.items.expect("  0--2-----------4")
    list.loading.expect("(ft)--f--------t--f")
    pager.loading.expect("----------f-t--f")
    pager.page.expect("   ----------a-b--b-c")
    #expect(pager.page.elements.map(\.count) == [2, 2, 4, 4])
    #expect(pager.page.elements.map(\.hasNext) == [true, false, true, true])
    #expect(pager.page.elements.map(\.hasMore) == [true, true, true, true])
  }

  @Test func `opening a pager on the last loaded item loads the next page, and further requests are throttled`() throws
  {
    let list = try loaded(ListStage("ab", "c", "d", marbles: m))
    let pager = try list.pager(on: "b", m)
    m.play("--------------n----nn", into: pager.input.swipe, values: ["n": next])
    m.clock.run(until: .seconds(3))
    // The swipe onto c after 400 ms is dropped, and so is the next one after 900 ms. The one after 1000 ms is accepted.
    list.requests.expect("1---------2---------3")
    #expect(list.listed == "abcd")
  }

  @Test func `a list and a pager at the end together make one request`() throws {
    let list = try loaded(ListStage("ab", "cd", marbles: m))
    let pager = try list.pager(on: "a", m)
    m.play("-----------b", into: list.input.reachBottom)
    m.play("-----------n", into: pager.input.swipe, values: ["n": next])
    m.clock.run(until: .seconds(2))
    list.requests.expect("1----------2")
    pager.page.expect("----------ab--b")
  }

  @Test func `two pagers that reach the end together make one request, even without a throttle`() throws {
    var settings = keeping
    settings.options.throttle = Milliseconds(0)
    let list = ListStage(settings: settings, marbles: m) { [m] key, number in
      .just(page(["ab", "a"][min(number, 1)], next: "2"))
        .delay(key == "1" ? .zero : .milliseconds(300), on: m.clock)
    }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("--r", into: list.input.refresh)
    m.clock.run(until: m.frame)
    let pagers = try [list.pager(on: "a", m), list.pager(on: "a", m)]
    m.clock.run(until: m.frame * 9)
    // In the list's new order, both pagers are on the last item.
    list.requests.expect("-1(12)")
    for pager in pagers { pager.loading.expect("-f(tft)--f") }
  }

  @Test func `at the source's end a swipe neither loads nor moves`() throws {
    let list = try loaded(ListStage("ab", marbles: m))
    let pager = try list.pager(on: "b", m)
    m.play("-----------nn", into: pager.input.swipe, values: ["n": next])
    m.clock.run(until: .seconds(3))
    list.requests.expect("1")
    pager.page.expect("----------b")
    pager.loading.expect("----------f")
  }

  @Test func `pager and list report a failed page, and another swipe loads it again`() throws {
    let list = try loaded(
      ListStage(marbles: m) { [m] _, number in
        number == 1
          ? .error(broken) : .just(page(number == 0 ? "ab" : "c", next: "2")).delay(.milliseconds(100), on: m.clock)
      })
    let pager = try list.pager(on: "b", m)
    m.play("--------------------n", into: pager.input.swipe, values: ["n": next])
    m.clock.run(until: .seconds(3))
    list.requests.expect("1---------2---------2")
    list.error.expect("  o---------x---------o")
    pager.error.expect(" ----------x---------o")
    #expect(pager.page.elements.map(\.count) == [2, 3])
  }

  @Test func `a pager whose item becomes the last one loads the next page`() throws {
    let list = try loaded(
      ListStage(settings: keeping, marbles: m) { [m] _, number in
        .just(page(["abc", "acb", "d"][number], next: "2")).delay(.milliseconds(100), on: m.clock)
      })
    let pager = try list.pager(on: "b", m)
    m.play("-----------r", into: list.input.refresh)
    m.clock.run(until: .seconds(3))
    list.requests.expect("1----------12")
    pager.page.expect("----------b-bb")
  }

  // MARK: - Keeping the item

  @Test func `a pager follows its item, not an index`() throws {
    let list = try loaded(
      ListStage(settings: keeping, marbles: m) { _, number in .just(page(["abc", "xyabc", "bxc"][number])) })
    let pager = try list.pager(on: "b", m)
    m.play("-----------r-r", into: list.input.refresh)
    m.clock.run(until: .seconds(2))
    pager.page.expect("----------bb-b")
    #expect(pager.page.elements.map(\.index) == [1, 3, 0])
  }

  @Test func `a pager shows edits of its item`() throws {
    let list = try loaded(ListStage("ab", marbles: m))
    let pager = try list.pager(on: "a", m)
    m.play("-----------A", into: list.input.change.port, values: ["A": .item(item("A"))])
    m.clock.run(until: .seconds(2))
    pager.page.expect("----------aA")
  }

  @Test func `an item that a refresh doesn't list stays, and a swipe goes to a neighbour or the first`() throws {
    let list = try loaded(
      ListStage(settings: keeping, marbles: m) { _, number in .just(page(["abcd", "dab", "xyz"][number])) })
    let pager = try list.pager(on: "c", m)
    m.play("-----------r-----r", into: list.input.refresh)
    m.play("-------------n-p---n", into: pager.input.swipe, values: ["n": next, "p": previous])
    m.clock.run(until: .seconds(2))
    pager.page.expect("----------cc-d---d-x")
    #expect(pager.page.elements.map(\.index) == [2, nil, 0, nil, 0])
    #expect(pager.page.elements.map(\.count) == [4, 3, 3, 3, 3])
    #expect(pager.page.elements[1].hasPrevious && pager.page.elements[1].hasNext)
  }

  @Test func `after a removal the pager shows the next item, or the last`() throws {
    let list = try loaded(ListStage("abc", marbles: m))
    let pager = try list.pager(on: "b", m)
    m.play(
      "-----------bca", into: list.input.remove.port,
      values: ["a": .item(id("a")), "b": .item(id("b")), "c": .item(id("c"))])
    m.clock.run(until: .seconds(2))
    pager.page.expect("----------bca")
    #expect(pager.page.elements.map(\.index) == [1, 1, 0])
  }

  @Test func `while the list is empty a pager keeps its page and ignores swipes`() throws {
    let list = try loaded(ListStage("abc", marbles: m))
    let pager = try list.pager(on: "b", m)
    m.play("-----------r", into: list.input.refresh)
    m.play("------------np", into: pager.input.swipe, values: ["n": next, "p": previous])
    m.clock.run(until: .seconds(2))
    list.items.expect("(0)--3-------0--3")
    pager.page.expect("----------b")
    pager.loading.expect("----------ft--f")
  }

  @Test func `a pager has a page as soon as it is opened`() throws {
    let list = try loaded(ListStage("abc", marbles: m))
    let pager = try list.pager(on: "c", m)
    #expect(pager.page.elements.count == 1)
    #expect(pager.page.elements.first?.id.text == #""c""#)
    #expect(pager.loading.elements == [false])
    #expect(pager.error.elements.count == 1 && pager.error.elements[0] == nil)
  }
}
