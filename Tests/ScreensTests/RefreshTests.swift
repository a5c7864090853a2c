import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct RefreshTests {
  let m = Marbles()
  private var keeping: ListSettings {
    var settings = ListSettings()
    settings.options.onRefresh = .keep
    return settings
  }

  @Test func `a refresh clears the list immediately and loads the first page`() {
    let list = ListStage("ab", "cd", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----b", into: list.input.reachBottom)
    m.play("----------r", into: list.input.refresh)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1---2----1")
    list.items.expect("0---2---4-0--2")
  }

  @Test func `a refresh with keep leaves the items until the answer`() {
    let list = ListStage("ab", "cd", settings: keeping, marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----b", into: list.input.reachBottom)
    m.play("----------r", into: list.input.refresh)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1---2----1")
    list.items.expect("0---2---4----2")
    list.loading.expect("ft--ft--f-t--f")
  }

  @Test(arguments: [OnRefresh.clear, .keep])
  func `a refresh replaces local changes with the source's items`(onRefresh: OnRefresh) {
    var settings = ListSettings()
    settings.options.onRefresh = onRefresh
    let list = ListStage("ab", settings: settings, marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----A", into: list.input.change.port, values: ["A": .item(item("A"))])
    m.play("------r", into: list.input.refresh)
    m.clock.run(until: .seconds(2))
    #expect(list.items.elements.suffix(2) == (onRefresh == .clear ? ["", "ab"] : ["Ab", "ab"]))
  }

  @Test func `after a refresh the next page follows the new first page`() {
    let list = ListStage(marbles: m) { key, number in
      .just(page(["ab", "cd", "xy", "z"][number], next: ["2", "3", "7", nil][number]))
    }
    m.play("-a---------------", into: list.input.viewWillAppear)
    m.play("--b-------------b", into: list.input.reachBottom)
    m.play("----r", into: list.input.refresh)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-12-1-----------7")
    #expect(list.listed == "xyz")
  }

  @Test func `while a cleared list is loading, no next page can be requested`() {
    let list = ListStage("ab", "cd", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("-----r", into: list.input.refresh)
    m.play("------b", into: list.input.reachBottom)
    m.play("------l", into: list.input.loadMore)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1---1")
  }

  @Test func `after an empty page the next one is loaded, at most ten in a row`() {
    let list = ListStage(marbles: m) { _, number in .just(page(number == 0 ? "ab" : "", next: "2")) }
    m.play("-a", into: list.input.viewWillAppear)
    m.play("--b---------b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(2))
    list.requests.expect("-1(2222222222)---------(2222222222)")
    #expect(list.listed == "ab")
  }
}
