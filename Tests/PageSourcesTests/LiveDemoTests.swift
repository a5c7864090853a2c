import Flow
import ItemList
import PageSources
import Paging
import Randomness
import Testing
import WireJSON

@Suite struct LiveDemoTests {
  private let clock = VirtualScheduler()
  private let source: Source<RawJSON>

  init() { source = LiveDemoSource(on: clock).source }

  private final class Watched {
    var states: [String] = []
    var subscription: (any Disposable)?
  }

  private func watch() -> Watched {
    let watched = Watched()
    watched.subscription = source.changes(WatchRequest()).subscribe(onNext: { watched.states.append($0.state ?? "") })
    return watched
  }

  private func page(_ request: PageRequest) -> Page<RawJSON>? {
    var page: Page<RawJSON>?
    let subscription = source.load(request).subscribe(onNext: { page = $0 })
    clock.advance(by: .milliseconds(300))
    subscription.dispose()
    return page
  }

  @Test func `live mails equal the demo's mails, with a field for unread`() throws {
    let mails = try #require(page(PageRequest(size: 1000)))
    let still = DemoSource(on: clock).source.outcome(PageRequest(size: 1000), on: clock).page
    #expect(mails.ids == still?.ids && mails.ids.count == 320 && mails.state == "0")
    let unread = try mails.texts.compactMap { try RawJSON($0).member("unread")?.bool }
    #expect((3...20).contains(unread.count { $0 }) && unread.count == 320)
    #expect(unread.prefix(30).contains(true) && !unread.dropFirst(30).contains(true))
  }

  @Test func `the mailbox doesn't change while nobody watches`() {
    clock.advance(by: .seconds(3600))
    #expect(page(PageRequest(size: 1))?.state == "0")
    let watched = watch()
    clock.advance(by: .seconds(60))
    #expect(watched.states.count > 5)
    watched.subscription?.dispose()
    let last = watched.states.last
    clock.advance(by: .seconds(3600))
    #expect(page(PageRequest(size: 1))?.state == last)
  }

  @Test func `moving the clock very far ends, and the mailbox stays bounded`() throws {
    let watched = watch()
    clock.advance(by: .seconds(100_000_000))
    #expect(watched.states.count == 10_001)
    #expect(try #require(page(PageRequest(size: 10_000))?.items.count) <= 1000)
    watched.subscription?.dispose()
    _ = watch()
    clock.advance(by: .seconds(3600))
    #expect(page(PageRequest(size: 1))?.state == "10000")
  }

  @Test func `mails arrive, are read and are removed, and arrivals have unique ids and dates`() {
    let list = FollowedList(source, on: clock)
    list.perform { $0.first() }
    var (seen, hasBeenRead, hasGone): ([String: Bool], Bool, Bool) = ([:], false, false)
    for _ in 0..<600 {
      clock.advance(by: .seconds(3))
      let now = list.list.items.map(\.json).reduce(into: [String: Bool]()) { mails, mail in
        mails[mail.member("id")?.string ?? ""] = mail.member("unread")?.bool
        for name in ["subject", "sender", "date", "body"] { #expect(mail.member(name)?.string?.contains("{") == false) }
      }
      hasBeenRead = hasBeenRead || now.contains { seen[$0.key] == true && !$0.value }
      hasGone = hasGone || seen.keys.contains { now[$0] == nil }
      seen = now
    }
    #expect(hasBeenRead && hasGone && seen.count > 100 && list.failures == [])
    let dates = list.list.items.compactMap { $0.json.member("date")?.string }
    #expect(dates == dates.sorted(by: >))
  }

  @Test func `the mailbox has the same bytes in each run`() {
    let other = FollowedList(LiveDemoSource(on: clock).source, on: clock)
    let list = FollowedList(source, on: clock)
    for list in [list, other] { list.perform { $0.first() } }
    clock.advance(by: .seconds(600))
    #expect(list.texts == other.texts && list.list.count > 30)
  }

  @Test func `a watch from an older state fails`() {
    var failure: LoadFailure?
    source.changes(WatchRequest(state: "7")).subscribe(onError: { failure = $0 as? LoadFailure }).dispose()
    #expect(failure?.code == -32014)
  }

  @Test func `a change of a removed mail and an insertion into a full mailbox are refused`() throws {
    func outcome(_ edit: Edit<RawJSON>) -> String? {
      var message: String?
      let end = source.write(edit).subscribe(onError: { message = ($0 as? LoadFailure)?.message })
      clock.advance(by: .milliseconds(300))
      end.dispose()
      return message
    }
    #expect(outcome(.update(try RawJSON(#"{"id":"x"}"#))) == "the demo mailbox has no \"x\" any more")
    #expect(outcome(.update(try RawJSON("[]"))) == "the demo mailbox accepts only objects with an \"id\"")
    #expect(outcome(.remove(ItemID("x"))) == nil)
    var full: String?
    for number in 0..<1700 where full == nil {
      full = outcome(.insert(try RawJSON("{\"id\":\(number)}"), before: ItemID("m007")))
    }
    #expect(full == "the demo mailbox is full, with 2000 mails; remove one first")
    // All mails keep their places, even if there was little room between ranks.
    let ids = try #require(page(PageRequest(size: 10_000))).ids
    #expect(ids[6..<1686] == (0..<1680).map(String.init)[...] && ids[1686] == "\"m007\"")
  }

  /// For any order of pages, edits and simulated changes, the list equals the mailbox at the end.
  @Test(arguments: 0..<8) func `lists equal the mailbox after any events`(seed: Int) throws {
    var random = SplitMix64(seed: seed)
    let choices = [nil, #"{"unread":false}"#, #"{"sort":"subject"}"#, #"{"sort":"-sender","unread":[true,false]}"#]
    let filters = try choices[seed % 4].map { try Filters(json: RawJSON($0)) }
    let query = seed % 3 == 0 ? "a" : ""
    let list = FollowedList(source, filters: filters, query: query, on: clock)
    list.perform { $0.first() }
    for step in 1...80 {
      clock.advance(by: .milliseconds(Int.random(in: 0...3000, using: &random)))
      let item = list.list.items.randomElement(using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: list.perform { $0.first() }
      case 1...4: list.perform { $0.next() }
      case 5: if let id = item.flatMap({ ItemID($0.id) }) { list.perform { $0.remove(id) } }
      case 6:
        let new = ItemList.Item(
          try RawJSON("{\"id\":\"x\(step)\",\"subject\":\"a \(step % 7)\",\"unread\":\(step.isMultiple(of: 2))}"),
          id: "id")
        if let new { list.perform { $0.insert(new, before: item.flatMap { ItemID($0.id) }) } }
      case 7:
        let id = item?.id.text ?? "\"m001\""
        let other = ItemList.Item(try RawJSON("{\"id\":\(id),\"subject\":\"a\",\"unread\":false}"), id: "id")
        if let other { list.perform { $0.update(other) } }
      default: break
      }
      guard step.isMultiple(of: 40) else { continue }
      clock.advance(by: .seconds(1))
      for _ in 0..<100 where list.list.hasMore || list.list.isLoading {
        list.perform { $0.next() }
        clock.advance(by: .milliseconds(300))
      }
      var (expected, found): ([String], [String]) = ([], [])
      let end = source.load(PageRequest(query: query, filters: filters, size: 10_000)).subscribe(onNext: { page in
        (expected, found) = (page.texts, list.texts)
      })
      clock.advance(by: .milliseconds(300))
      end.dispose()
      // The test doesn't compare these arrays in `#expect`, because it would describe both.
      let difference = zip(found, expected).first { $0 != $1 }.map { "\($0)" } ?? "\(found.count), \(expected.count)"
      let isEqual = found == expected
      #expect(isEqual, "seed \(seed), step \(step): \(difference)")
      if !isEqual { return }
    }
  }
}
