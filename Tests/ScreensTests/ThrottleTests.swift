import Flow
import FlowTesting
import LetterPages
import Nagare
import Paging
import Testing

@testable import Screens

@Suite struct ThrottleTests {
  /// A list with any number of immediate pages, whose view has just appeared.
  private func stage(_ m: Marbles, throttle: Milliseconds = Milliseconds(1000)) throws -> ListStage {
    var settings = ListSettings()
    settings.options.throttle = throttle
    let list = ListStage(settings: settings, marbles: m) { _, number in
      .just(page(String("abcdefghij".dropFirst(number).prefix(1)), next: String(number + 2)))
    }
    try list.input.viewWillAppear.send()
    return list
  }

  @Test func `a call 999 ms after an accepted one is dropped and not made later`() throws {
    let m = Marbles(frame: .milliseconds(999))
    let list = try stage(m)
    m.play("-bb", into: list.input.reachBottom)
    m.clock.run(until: .seconds(9))
    list.requests.expect("12")
  }

  @Test func `a call 1000 ms after an accepted one is accepted`() throws {
    let m = Marbles(frame: .milliseconds(1000))
    let list = try stage(m)
    m.play("-bb", into: list.input.reachBottom)
    m.clock.run(until: .seconds(9))
    list.requests.expect("123")
  }

  @Test func `the time counts from the last accepted call, not from a dropped one`() throws {
    let m = Marbles(frame: .milliseconds(500))
    let list = try stage(m)
    m.play("-bbbbb", into: list.input.reachBottom)
    m.clock.run(until: .seconds(9))
    list.requests.expect("12-3-4")
  }

  @Test func `reachBottom and loadMore are throttled separately`() throws {
    let m = Marbles()
    let list = try stage(m)
    m.play("-b-b-----------b", into: list.input.reachBottom)
    m.play("--l-l-l---------", into: list.input.loadMore)
    m.clock.run(until: .seconds(3))
    list.requests.expect("123------------4")
  }

  @Test func `a call that finds nothing to load counts as accepted`() {
    let m = Marbles()
    let list = ListStage("a", "b", marbles: m)
    m.play("-a", into: list.input.viewWillAppear)
    m.play("--b----b--b-b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(3))
    list.requests.expect("-1----------2")
  }

  @Test func `refresh, retry, appearing and changing are not throttled`() throws {
    let m = Marbles()
    let list = try stage(m)
    m.play("-(rr)-rr", into: list.input.refresh)
    m.clock.run(until: .seconds(3))
    list.requests.expect("1(11)-11")
  }

  @Test func `the settings determine the throttle time`() throws {
    let m = Marbles()
    let list = try stage(m, throttle: Milliseconds(300))
    m.play("-b-bb-b-b", into: list.input.reachBottom)
    m.clock.run(until: .seconds(3))
    list.requests.expect("12--3---4")
  }
}
