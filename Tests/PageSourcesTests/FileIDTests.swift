import Flow
import ItemList
import PageSources
import Paging
import Testing
import WireJSON

/// Files whose records have no ids.
@Suite final class FileIDTests {
  private let clock = VirtualScheduler()
  /// The files exist as long as the test.
  private var files: [TemporaryFile] = []

  private func source(
    _ text: String, id: String = "id", window: Int = 256 << 10, item: Int = 16 << 20, turn: Int = 1 << 20,
    keepsIndex: Bool = false
  ) -> Source<RawJSON> {
    let file = TemporaryFile(text)
    files.append(file)
    var limits = FileSource.Limits()
    (limits.window, limits.item, limits.turn, limits.share) = (window, item, turn, min(turn, limits.share))
    return FileSource(path: file.path, name: "f", id: id, limits: limits, keepsIndex: keepsIndex, on: clock).source
  }

  /// The offset of each line.
  private func offsets(_ text: String) -> [String] {
    text.utf8.indices.filter { $0 == text.startIndex || text.utf8[text.utf8.index(before: $0)] == 0x0A }
      .map { String(text.utf8.distance(from: text.startIndex, to: $0)) }
  }

  private func item(_ id: String, of source: Source<RawJSON>) throws -> String {
    var (text, failure) = (String?.none, LoadFailure?.none)
    let load = source.loadItem(try #require(ItemID(RawJSON(id)))).subscribe {
      text = $0.text
    } onError: {
      failure = $0 as? LoadFailure
    }
    clock.run()
    load.dispose()
    return text ?? failure.map { String($0.code) } ?? "nothing"
  }

  @Test(arguments: [1, 7, 4096]) func `records without an id are listed with their offset as their id`(window: Int) {
    let text = "{\"t\":\"é\"}\n\n{ }\n  { \"n\" : 1.50 , \"id2\":1}\r\n{}\n{\"t\":{\"id\":7}}"
    #expect(
      source(text, window: window).listing(size: 2).items == [
        "{\"id\":0,\"t\":\"é\"}", "{\"id\":12 }", "{\"id\":18, \"n\" : 1.50 , \"id2\":1}", "{\"id\":43}",
        "{\"id\":46,\"t\":{\"id\":7}}",
      ])
    #expect(
      source("\u{FEFF}{\"a\":1}\n{\"a\":2}", window: window).listing().items == [
        "{\"id\":3,\"a\":1}", "{\"id\":11,\"a\":2}",
      ])
    let array = source("[ {\"a\":1},\n 7, {\"a\":2,\"b\":[{}]} ,{\"id\":\"x\"}]", window: window).listing(size: 1)
    #expect(array.items == ["{\"id\":2,\"a\":1}", "{\"id\":15,\"a\":2,\"b\":[{}]}", "{\"id\":\"x\"}"])
    #expect(array.failures.count == 1)
  }

  @Test(arguments: [1, 7, 4096]) func `own ids stay, unusable ones are errors, and broken lines are ignored`(
    window: Int
  ) {
    let text = "oops\n[1]\n{\"a\":1}\n{\"id\":\"own\"}\n{\"id\":null}\n{\"id\":{}}\n{\"a\":2}\n"
    let listing = source(text, window: window).listing()
    #expect(listing.items == ["{\"id\":9,\"a\":1}", "{\"id\":\"own\"}", "{\"id\":52,\"a\":2}"])
    #expect(listing.failures.map { String($0.prefix(6)) } == ["f:1:1:", "f:2:1:", "f:5:7:", "f:6:7:"])
  }

  @Test(arguments: ["{\"id\":1}\n{\"a\":1}\n", "{\"id\":null}\n{\"a\":1}\n{\"id\":1}\n", "[7,{\"id\":1},{\"a\":1}]"])
  func `if the first record has an id, even an unusable one, records without it are errors`(text: String) {
    #expect(source(text, window: 4).listing().items == ["{\"id\":1}"])
  }

  @Test func `with another id field records without it are errors`() {
    let listing = source("{\"a\":1}\n{\"key\":2}\n", id: "key").listing()
    #expect(listing.items == ["{\"key\":2}"] && listing.failures.count == 1)
  }

  @Test func `an item is found by its offset, but not by an offset at which no record starts`() throws {
    let text = "{\"a\":{\"b\":1}}\n \t{\"a\": {\"b\":2}}\n\n{\"id\":3,\"a\":3}\n{\"id\":null}\nx{}\n{\"a\":4}"
    for window in [1, 7, 4096] {
      let source = source(text, window: window)
      #expect(try item("0", of: source) == "{\"id\":0,\"a\":{\"b\":1}}")
      #expect(try item("16", of: source) == "{\"id\":16,\"a\": {\"b\":2}}")
      #expect(try item("1.6e1", of: source) == "{\"id\":16,\"a\": {\"b\":2}}")
      #expect(try item("63", of: source) == "{\"id\":63,\"a\":4}")
      // This is a record's own id, and no record's offset.
      #expect(try item("3", of: source) == "{\"id\":3,\"a\":3}")
      for id in ["5", "14", "15", "22", "32", "33", "47", "59", "60", "64", "70", "71", "-1", "0.5", "1e300", "\"0\""] {
        #expect(try item(id, of: source) == "-32015", "\(id)")
      }
    }
    let array = source("[{\"a\":1},\n{\"a\":{\"b\":2}}]")
    #expect(try item("10", of: array) == "{\"id\":10,\"a\":{\"b\":2}}")
    #expect(try item("15", of: array) == "-32015")
    // In a file with ids, a number can only be an id.
    let own = source("{\"id\":9}\n{\"id\":0}\n")
    #expect(try item("0", of: own) == "{\"id\":0}")
    #expect(try item("5", of: own) == "-32015")
  }

  @Test func `an item is read at its offset without reading earlier items`() throws {
    let text = (0..<10_000).map { "{\"n\":\($0)}\n" }.joined()
    let source = source(text, window: 64, turn: 256)
    let last = try #require(offsets(text).last)
    _ = source.outcome(size: 1, on: clock)
    var found: String?
    source.loadItem(ItemID(try RawJSON(last))!).subscribe { found = $0.text }.dispose()
    #expect(found == "{\"id\":\(last),\"n\":9999}")
  }

  @Test(arguments: [false, true]) func `pages by position and around an item have the offsets as ids`(
    keepsIndex: Bool
  ) throws {
    let text = (0..<1000).map { "{\"n\":\($0)}\n" }.joined()
    let ids = offsets(text)
    let source = source(text, window: 64, keepsIndex: keepsIndex)
    for position in [0, 1, 255, 256, 257, 998] {
      var request = PageRequest(size: 2)
      request.position = position
      let page = try #require(source.outcome(request, on: clock).page)
      #expect(page.ids == Array(ids[position..<position + 2]) && page.position == position)
      request.position = nil
      request.around = ItemID(try RawJSON(ids[position]))
      let around = try #require(source.outcome(request, on: clock).page)
      #expect(around.ids.contains(ids[position]) && around.position == max(0, position - 1))
    }
    var request = PageRequest(size: 2)
    request.around = ItemID(1)
    #expect(source.outcome(request, on: clock).failure?.code == -32015)
  }

  @Test func `filters and queries find records by their listed form`() throws {
    let text = (0..<200).map { "{\"n\":\($0),\"t\":\"\($0 % 3 == 0 ? "tea" : "ink")\"}\n" }.joined()
    let ids = offsets(text)
    for text in [text, "[\n" + text.split(separator: "\n").joined(separator: ",\n") + "]"] {
      let source = source(text, window: 64)
      let all = source.listing(size: 500, on: clock).items
      #expect(source.listing(query: "tea", on: clock).items == stride(from: 0, to: 200, by: 3).map { all[$0] })
      let id = text.hasPrefix("[") ? try #require(Int(ids[150])) + 150 + 2 : try #require(Int(ids[150]))
      for filters in ["{\"id\":\(id)}", "{\"n\":150}", "{\"id\":{\"from\":\(id),\"to\":\(id + 1)}}"] {
        let request = PageRequest(filters: try Filters(json: RawJSON(filters)), size: 9)
        #expect(source.outcome(request, on: clock).page?.texts == [all[150]])
      }
      var request = PageRequest(query: "tea", size: 4)
      request.around = ItemID(id)
      let around = try #require(source.outcome(request, on: clock).page)
      #expect(around.texts == [144, 147, 150, 153].map { all[$0] } && around.position == 48)
      request.around = try #require(ItemID(RawJSON(source.outcome(size: 2).page?.ids.last ?? "0")))
      #expect(source.outcome(request, on: clock).failure?.code == -32015)
    }
  }

  @Test func `an empty file determines its ids when it gets a record`() {
    let source = source("\n\n")
    let file = files[0]
    #expect(source.listing().items == [])
    file.append("oops\n{\"a\":")
    #expect(source.listing().items == [])
    file.append("1}\n")
    #expect(source.listing().items == ["{\"id\":7,\"a\":1}"])
    file.append("{\"id\":1}\n{\"a\":2}\n")
    #expect(source.listing().items == ["{\"id\":7,\"a\":1}", "{\"id\":1}", "{\"id\":24,\"a\":2}"])
    file.replace("{\"id\":1}\n{\"a\":2}\n")
    #expect(source.listing().items == ["{\"id\":1}"])
    file.replace("{\"a\":2}\n")
    #expect(source.listing().items == ["{\"id\":0,\"a\":2}"])
  }

  @Test(arguments: [99, 100]) func `records after a hundred broken lines get no ids`(count: Int) {
    let listing = source(String(repeating: "x\n", count: count) + "{\"a\":1}\n").listing()
    #expect(listing.items == (count == 99 ? ["{\"id\":198,\"a\":1}"] : []))
  }

  @Test func `a first record that is too long gives no ids to the others`() {
    let long = "{\"x\":\"" + String(repeating: "x", count: 300) + "\"}\n"
    let listing = source(long + "{\"id\":2}\n{\"a\":1}\n", window: 16, item: 64).listing()
    #expect(listing.items == ["{\"id\":2}"] && listing.failures.count == 2)
    #expect(source(long, window: 16, item: 400).listing().items == ["{\"id\":0," + long.dropFirst().dropLast()])
  }
}
