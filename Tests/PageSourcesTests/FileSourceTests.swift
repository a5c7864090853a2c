import Paging
import PageSources
import Flow
import RPC
import Testing
import WireJSON

@Suite final class FileSourceTests {
  let clock = VirtualScheduler()
  /// The files exist as long as the test.
  private var files: [TemporaryFile] = []

  private func source(_ file: TemporaryFile, window: Int = 256 << 10, item: Int = 16 << 20) -> Source<RawJSON> {
    files.append(file)
    var limits = FileSource.Limits()
    limits.window = window
    limits.item = item
    return FileSource(path: file.path, name: "mails.jsonl", id: "id", limits: limits, on: clock).source
  }

  @Test func `a page has the items' bytes, the next key, and at the end the total`() throws {
    let file = TemporaryFile("{\"id\" : 1.0}\n{\"id\":\"\\u0061\"}\n{\"x\":[ ],\"id\":3}\n")
    let source = source(file)
    let first = try #require(source.outcome(size: 2).page)
    #expect(first.texts == ["{\"id\" : 1.0}", "{\"id\":\"\\u0061\"}"])
    #expect(first.next?.text == "2")
    #expect(!first.isTotalExact)
    let second = try #require(source.outcome(key: 2, size: 2).page)
    #expect(second.texts == ["{\"x\":[ ],\"id\":3}"])
    #expect(second.next == nil)
    #expect(second.total == 3)
    #expect(source.outcome(size: 2).page?.total == 3)
  }

  @Test(
    arguments: [
      "{\"id\":1}\n{\"id\":2}\n", "{\"id\":1}\n{\"id\":2}", "{\"id\":1}\r\n{\"id\":2}\r\n",
      "\n \n{\"id\":1}\n\r\n\n{\"id\":2}\n\n  ",
      "\u{FEFF}{\"id\":1}\n{\"id\":2}\n", "[{\"id\":1},{\"id\":2}]", "\u{FEFF} \n[\n {\"id\":1} ,\n\t{\"id\":2}\n]\n\n",
    ], [1, 2, 5, 7, 64])
  func `lines with any line ends and arrays with any layout give the same items`(text: String, window: Int) {
    let listing = source(TemporaryFile(text), window: window).listing(size: 1)
    #expect(listing == Listing(items: ["{\"id\":1}", "{\"id\":2}"], failures: [], pages: 2))
  }

  @Test(arguments: ["", "\n\n", "\u{FEFF}", "[]", " [ ] "], [1, 64])
  func `a file without items is an empty page`(text: String, window: Int) {
    let page = source(TemporaryFile(text), window: window).outcome().page
    #expect(page?.texts == [])
    #expect(page?.next == nil)
    #expect(page?.total == 0)
    #expect(page?.failures == [])
  }

  @Test(arguments: [1, 9, 4096])
  func `a broken line is left out and reported, and the rest is listed`(window: Int) {
    let text = """
      {"id":1}
      {"id":2,}
      {"名":"前" "id":3}
      7
      {"name":"x"}
      {"id":null}
      {"id":4}

      """
    let listing = source(TemporaryFile(text), window: window).listing(size: 1)
    #expect(listing.items == ["{\"id\":1}", "{\"id\":4}"])
    #expect(
      listing.failures == [
        "mails.jsonl:2:9: expected the name of a field in quotes after ','; the line was left out",
        "mails.jsonl:3:10: expected ',' or '}' after a field; the line was left out",
        "mails.jsonl:4:1: an item must be an object; the line was left out",
        "mails.jsonl:5:1: the item has no id: its field \"id\" must be a string or a number, found nothing (name another field with --id, or with \"id\" of the source); the line was left out",
        "mails.jsonl:6:7: the item has no id: its field \"id\" must be a string or a number, found null (name another field with --id, or with \"id\" of the source); the line was left out",
      ])
    #expect(listing.pages == 2)
  }

  @Test(arguments: [1, 9, 4096])
  func `an array ends at an error, which is reported with its location`(window: Int) {
    let listing = source(TemporaryFile("[{\"id\":1},\n {\"n\":1},{\"id\":2}\n {\"id\":3}]"), window: window).listing(
      size: 1)
    #expect(listing.items == ["{\"id\":1}", "{\"id\":2}"])
    #expect(
      listing.failures == [
        "mails.jsonl:2:2: the item has no id: its field \"id\" must be a string or a number, found nothing (name another field with --id, or with \"id\" of the source); the item was left out",
        "mails.jsonl:3:2: expected ',' or ']' after an array's element; the rest of the file was left out",
      ])
  }

  @Test(arguments: ["[{\"id\":1} ", "[{\"id\":1},", "[{\"id\":1}] x", "[{\"id\":1},]"])
  func `a truncated array gives its complete items and a failure`(text: String) {
    let listing = source(TemporaryFile(text), window: 4).listing()
    #expect(listing.items == ["{\"id\":1}"])
    #expect(listing.failures.count == 1)
  }

  @Test func `many broken lines don't block the list, and at most a hundred are reported`() throws {
    let text = "{\"id\":1}\n" + String(repeating: "oops\n", count: 5_000) + "{\"id\":2}\n"
    let page = try #require(source(TemporaryFile(text), window: 512).outcome().page)
    #expect(page.ids == ["1", "2"])
    #expect(page.failures.count == 101)
    #expect(page.failures.last?.message == "mails.jsonl: 4900 more records were left out before the next item")
    #expect(page.failures.allSatisfy { $0.code == LoadFailure.Code.badRecord.rawValue && !$0.isRetryable })
  }

  @Test func `an item longer than the limit is left out`() {
    let long = "{\"id\":2,\"x\":\"" + String(repeating: "x", count: 300) + "\"}"
    let lines = source(TemporaryFile("{\"id\":1}\n\(long)\n{\"id\":3}\n"), window: 16, item: 64).listing()
    #expect(lines.items == ["{\"id\":1}", "{\"id\":3}"])
    #expect(lines.failures == ["mails.jsonl:2:1: an item may have 64 bytes at most; the line was left out"])
    let array = source(TemporaryFile("[{\"id\":1},\(long),{\"id\":3}]"), window: 16, item: 64).listing()
    #expect(array.items == ["{\"id\":1}"])
    #expect(
      array.failures == ["mails.jsonl:1:11: an item may have 64 bytes at most; the rest of the file was left out"])
    // The longest window ends at the end of the file.
    let end = source(TemporaryFile(String(repeating: "x", count: 128)), window: 16, item: 64).listing()
    #expect(end.failures == ["mails.jsonl:1:1: an item may have 64 bytes at most; the line was left out"])
    let fits = source(TemporaryFile(long), window: 16, item: 512).listing()
    #expect(fits == Listing(items: [long], failures: [], pages: 1))
  }

  @Test func `a page ends early when it reaches the size limit of an item`() {
    let items = (10...29).map { "{\"id\":\($0),\"x\":\"xxxxxxxxxxxxxxxx\"}" }
    let listing = source(TemporaryFile(items.joined(separator: "\n")), window: 32, item: 64).listing()
    #expect(listing.items == items)
    #expect(listing.pages == 10)
  }

  @Test(arguments: ["\"7\"", "-1", "1.5", "{}", "true", "1e99"])
  func `an invalid key is refused`(key: String) throws {
    let request = PageRequest(key: try RawJSON(key), size: 1)
    let failure = source(TemporaryFile("{\"id\":1}")).outcome(request).failure
    #expect(failure?.code == LoadFailure.Code.malformedResponse.rawValue)
    #expect(failure?.message == "mails.jsonl has no page \(key); a page's key is the number of items before it")
  }

  @Test func `a key beyond the end gives an empty page, and null the first`() throws {
    let source = source(TemporaryFile("{\"id\":1}\n{\"id\":2}\n"))
    #expect(source.outcome(key: 9).page?.ids == [])
    #expect(source.outcome(key: 9).page?.next == nil)
    #expect(source.outcome(PageRequest(key: .null, size: 1)).page?.ids == ["1"])
  }

  @Test func `a missing file fails the load, and the next load opens it`() {
    let file = TemporaryFile([UInt8]?.none)
    let source = source(file)
    let failure = LoadFailure(.unreachable, "can't open mails.jsonl: No such file or directory")
    #expect(source.outcome().failure == failure)
    #expect(source.outcome(key: 3).failure == failure)
    file.append("{\"id\":1}")
    #expect(source.outcome().page?.ids == ["1"])
  }

  @Test func `a folder fails the load`() {
    let file = TemporaryFile("")
    let source = FileSource(path: file.folder, name: "mails", id: "id", on: clock).source
    #expect(
      source.outcome().failure
        == LoadFailure(.unreachable, "can't read mails: it is a folder or a device, not a file"))
  }
}
