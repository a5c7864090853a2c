import PageSources
import Paging
import Flow
import RPC
import Randomness
import Testing
import WireJSON

/// For any file, window size and page size, the listed items are those of the file.
@Suite struct FilePagingTests {
  private let clock = VirtualScheduler()

  private func source(_ file: TemporaryFile, window: Int) -> Source<RawJSON> {
    var limits = FileSource.Limits()
    limits.window = window
    (limits.turn, limits.share) = (4 * window, 2 * window)
    return FileSource(path: file.path, name: "mails.jsonl", id: "id", limits: limits, on: clock).source
  }

  @Test(arguments: 0..<60)
  func `pages and windows of any size together give the whole file`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let made = MadeFile(using: &random)
    let file = TemporaryFile(made.text)
    for _ in 1...4 {
      let (window, size) = (
        Int.random(in: 1...200, using: &random),
        Int.random(in: 1...9, using: &random) == 1 ? 1000 : Int.random(in: 1...20, using: &random)
      )
      let listing = source(file, window: window).listing(size: size, on: clock)
      #expect(listing.items == made.items, "windows of \(window) bytes, pages of \(size)")
      #expect(listing.failures.count == made.failures)
      #expect(listing.pages == max(1, (made.items.count + size - 1) / size), "pages of \(size)")
    }
  }

  @Test(arguments: [false, true])
  func `a window can end anywhere within an item`(isArray: Bool) {
    let items = ["{\"id\":1,\"x\":\"é\\n\"}", "{\"id\":-2.5e3}", "{\"x\":[{},[]],\"id\":\"𝄞\"}", "{\"id\":4}"]
    let file = TemporaryFile(isArray ? "[\(items.joined(separator: " ,\n"))]" : items.joined(separator: "\r\n"))
    for window in 1...70 {
      for size in 1...5 {
        #expect(source(file, window: window).listing(size: size, on: clock).items == items)
      }
    }
  }

  @Test(arguments: 0..<20)
  func `pages that are requested in any order equal those of a listing`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let made = MadeFile(using: &random, items: 300)
    let file = TemporaryFile(made.text)
    let source = source(file, window: Int.random(in: 16...400, using: &random))
    for _ in 1...30 {
      let (key, size) = (Int.random(in: 0...320, using: &random), Int.random(in: 1...40, using: &random))
      let page = source.outcome(key: key, size: size, on: clock).page
      #expect(page?.texts == Array(made.items.dropFirst(key).prefix(size)), "\(size) from \(key)")
    }
  }

  @Test(arguments: 0..<20)
  func `a query lists the matching items in order for any page size`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let made = MadeFile(using: &random, items: 300)
    let file = TemporaryFile(made.text)
    let matching = made.items.filter { $0.contains("\"apple") }
    let listing = source(file, window: Int.random(in: 16...400, using: &random)).listing(
      query: "ＡＰＰＬＥ", size: Int.random(in: 1...30, using: &random), on: clock)
    #expect(listing.items == matching)
    #expect(listing.failures.count == made.failures)
  }
}

/// A random file of items and broken lines.
private struct MadeFile {
  private(set) var text = ""
  private(set) var items: [String] = []
  private(set) var failures = 0

  init(using random: inout SplitMix64, items count: Int? = nil) {
    let isArray = Int.random(in: 0...2, using: &random) == 0
    let count = count ?? Int.random(in: 0...60, using: &random)
    var records: [String] = []
    for number in 0..<count {
      while Int.random(in: 0...9, using: &random) == 0 {
        records.append(
          isArray
            ? ["7", "{}", "[{}]"][Int.random(in: 0...2, using: &random)]
            : ["7", "{\"id\"}", "oops"][Int.random(in: 0...2, using: &random)])
        failures += 1
      }
      let fruit = ["apple", "pear", "plum 梅"][Int.random(in: 0...2, using: &random)]
      let body = String(
        repeating: "né ",
        count: Int.random(in: 0...9, using: &random) == 0
          ? Int.random(in: 0...90, using: &random) : Int.random(in: 0...5, using: &random))
      items.append("{\"id\":\(number),\"fruit\":\"\(fruit)\",\"body\":\"\(body)\"}")
      records.append(items[number])
    }
    if isArray {
      text = "[" + records.joined(separator: [",", " ,\n", "\n\n,  "][Int.random(in: 0...2, using: &random)]) + " ]\n"
    } else {
      let lineEnd = ["\n", "\r\n", "\n \n\n"][Int.random(in: 0...2, using: &random)]
      text = records.joined(separator: lineEnd) + (Int.random(in: 0...1, using: &random) == 0 ? "" : lineEnd)
    }
    if Int.random(in: 0...2, using: &random) == 0 { text = "\u{FEFF}" + text }
  }
}
