import Paging
import ItemList
import PageSources
import Flow
import RPC
import Testing
import WireJSON

@Suite struct DemoSourceTests {
  private let clock = VirtualScheduler()
  private let source: Source<RawJSON>

  init() { source = DemoSource(on: clock).source }

  private func mails(query: String? = nil) throws -> [RawJSON] {
    try source.listing(query: query, size: 50, on: clock).items.map { try RawJSON($0) }
  }

  @Test func `a page takes 300 ms and can be cancelled`() {
    var ids: [String] = []
    let load = source.load(PageRequest(size: 3))
    load.subscribe(onNext: { ids = $0.ids }).dispose()
    clock.advance(by: .seconds(1))
    #expect(ids == [])
    let kept = load.subscribe(onNext: { ids = $0.ids })
    clock.advance(by: .milliseconds(299))
    #expect(ids == [])
    clock.advance(by: .milliseconds(1))
    #expect(ids == ["\"m001\"", "\"m002\"", "\"m003\""])
    kept.dispose()
  }

  @Test(arguments: [1, 7, 20, 320, 1000]) func `pages of any size together contain the whole mailbox`(size: Int) {
    let listing = source.listing(size: size, on: clock)
    #expect(listing.items.count == 320)
    #expect(listing.items == source.listing(size: 64, on: clock).items)
    #expect(listing.pages == (320 + size - 1) / size)
  }

  @Test func `the total is known from the first page on`() {
    #expect(source.outcome(size: 1, on: clock).page?.total == 320)
  }

  @Test func `a page can be requested by its position, and has keys in both directions`() throws {
    var request = PageRequest(size: 3)
    request.position = 100
    var page = try #require(source.outcome(request, on: clock).page)
    #expect(page.ids == ["\"m101\"", "\"m102\"", "\"m103\""])
    #expect(page.position == 100 && page.total == 320 && page.isTotalExact)
    let next = try #require(source.outcome(PageRequest(key: page.next, size: 2), on: clock).page)
    #expect(next.ids == ["\"m104\"", "\"m105\""] && next.position == 103)
    page = try #require(source.outcome(PageRequest(key: page.previous, size: 2), on: clock).page)
    #expect(page.ids == ["\"m099\"", "\"m100\""] && page.position == 98)
    page = try #require(source.outcome(PageRequest(key: page.previous, size: 1000), on: clock).page)
    #expect(page.ids.count == 98 && page.position == 0 && page.previous == nil)
  }

  @Test func `a position beyond the end is an empty page at the end`() throws {
    var request = PageRequest(size: 3)
    for position in [320, 321, .max] {
      request.position = position
      let page = try #require(source.outcome(request, on: clock).page)
      #expect(page.ids == [] && page.position == 320 && page.next == nil && page.previous?.text == #"{"before":320}"#)
    }
  }

  @Test func `a page can be requested around an item`() throws {
    var request = PageRequest(size: 4)
    func page(around id: String) throws -> Page<RawJSON>? {
      request.around = ItemID(try RawJSON(id))
      return source.outcome(request, on: clock).page
    }
    #expect(try page(around: "\"m100\"")?.ids == ["\"m098\"", "\"m099\"", "\"m100\"", "\"m101\""])
    #expect(try page(around: "\"m001\"")?.position == 0)
    request.criteria = Criteria(query: "the", filters: nil)
    let found = source.listing(query: "the", on: clock).items.compactMap { try? RawJSON($0).member("id")?.text }
    let around = try #require(try page(around: found[5]))
    #expect(around.ids == Array(found[3..<7]) && around.position == 3 && around.total == found.count)
    for id in ["\"m000\"", "\"m321\"", "\"m99\"", "\"m+100\"", "7", "\"x\""] {
      request.around = ItemID(try RawJSON(id))
      #expect(source.outcome(request, on: clock).failure?.code == -32015)
    }
  }

  @Test func `the number of mails can be chosen, and they are created on request`() throws {
    let source = DemoSource(count: 10_000_000, on: clock).source
    var request = PageRequest(size: 2)
    request.position = 5_000_000
    let page = try #require(source.outcome(request, on: clock).page)
    #expect(page.ids == ["\"m5000001\"", "\"m5000002\""] && page.total == 10_000_000)
    request = PageRequest(size: 1)
    var last = "9"
    for position in [0, 1, 341, 342, 343, 4_999_999, 5_000_000, 9_999_998, 9_999_999] {
      request.position = position
      let page = try #require(source.outcome(request, on: clock).page)
      let date = try #require(page.items[0].member("date")?.string)
      #expect(date <= last && date > "2016")
      last = date
    }
    (request.position, request.around) = (nil, ItemID("m9999999".json))
    #expect(source.outcome(request, on: clock).page?.ids == ["\"m9999999\""])
    #expect(source.outcome(query: "tea", on: clock).failure?.code == -32602)
    #expect(DemoSource(count: 0, on: clock).source.outcome(on: clock).page?.total == 0)
  }

  @Test func `each mail is complete and has a unique id, and mails are sorted by date`() throws {
    let mails = try mails()
    var ids: Set<String> = []
    var last = "9999"
    for mail in mails {
      #expect(mail.members.map(\.key) == ["id", "subject", "sender", "date", "body"])
      let texts = mail.members.compactMap(\.value.string)
      #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("{") && !$0.contains("}") })
      ids.insert(texts[0])
      #expect(texts[3] < last)
      last = texts[3]
      #expect(texts[2].hasSuffix(">") && texts[2].contains(" <") && texts[2].contains("@example."))
    }
    #expect(ids.count == 320)
  }

  @Test func `a reply is newer than the mail with its subject`() throws {
    let subjects = try mails().compactMap { $0.member("subject")?.string }
    let replies = subjects.indices.filter { subjects[$0].hasPrefix("Re: ") }
    #expect(replies.count > 20)
    for index in replies { #expect(subjects[(index + 1)...].contains(String(subjects[index].dropFirst(4)))) }
  }

  @Test func `a query finds mails in both languages, page by page`() throws {
    for query in ["ＢＵＩＬＤ failed", "請求書", "京都"] {
      let found = try mails(query: query)
      #expect(found.count > 0 && found.count < 320)
      #expect(source.listing(query: query, size: 2, on: clock).items == found.map(\.text))
      #expect(source.outcome(query: query, on: clock).page?.total == found.count)
    }
    #expect(source.outcome(query: "no such mail", on: clock).page?.ids == [])
  }

  @Test func `a key beyond the end gives an empty page, an invalid key is refused`() throws {
    #expect(source.outcome(key: 320, on: clock).page?.ids == [])
    #expect(source.outcome(key: 9999, on: clock).page?.next == nil)
    let failure = source.outcome(PageRequest(key: try RawJSON("\"x\""), size: 1)).failure
    #expect(
      failure
        == LoadFailure(
          .malformedResponse, "the demo mailbox has no page \"x\"; a page's key is the number of items before it"))
  }
}

@Suite struct DemoDataTests {
  private let clock = VirtualScheduler()

  private func items(_ data: DemoData, query: String? = nil) throws -> [RawJSON] {
    try DemoSource(data, on: clock).source.listing(query: query, size: 7, on: clock).items.map { try RawJSON($0) }
  }

  @Test func `every kind of item has its fields and a unique id`() throws {
    for (data, count, members) in [
      (DemoData.shops, 40, ["id", "name", "genre", "area", "price", "rating", "note"]),
      (.offers, 24, ["id", "title", "price", "condition", "seller", "place", "likes"]),
    ] {
      let items = try items(data)
      #expect(items.count == count)
      #expect(items.allSatisfy { $0.members.map(\.key.string) == members })
      #expect(items.allSatisfy { item in item.members.allSatisfy { $0.value.string != "" } })
      #expect(Set(items.compactMap { $0.member("id").flatMap { ItemID($0) } }).count == count)
    }
  }

  @Test func `a search for a genre finds exactly its shops`() throws {
    for (genre, count) in [("ramen", 10), ("curry", 7), ("sushi", 6), ("soba", 6), ("cafe", 6), ("okonomiyaki", 5)] {
      let found = try items(.shops, query: genre)
      #expect(found.count == count)
      #expect(found.allSatisfy { $0.member("genre")?.string == genre })
    }
  }

  @Test func `offers are listed with the newest first`() throws {
    let ids = try items(.offers).compactMap { $0.member("id")?.int }
    #expect(ids == ids.sorted(by: >))
  }

  @Test func `an error for an invalid key names the data`() throws {
    let source = DemoSource(.shops, on: clock).source
    let failure = source.outcome(PageRequest(key: try RawJSON("-1"), size: 1)).failure
    #expect(failure?.message.hasPrefix("the demo restaurant guide has no page -1") == true)
  }
}
