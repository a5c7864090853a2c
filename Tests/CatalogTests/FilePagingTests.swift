import Catalog
import Flow
import RPC
import Testing
import WireJSON

/// Whatever the file, the window and the pages are: what is listed is what stands in the file.
@Suite struct FilePagingTests {
  private let clock = VirtualScheduler()

  private func source(_ file: TemporaryFile, window: Int) -> FileSource {
    var limits = FileSource.Limits()
    limits.window = window
    limits.turn = 4 * window
    return FileSource(path: file.path, name: "mails.jsonl", id: "id", limits: limits, on: clock)
  }

  @Test(arguments: 0..<60)
  func `pages of any size, read through windows of any size, join to the whole`(seed: Int) {
    var random = Randomness(seed: seed)
    let made = MadeFile(using: &random)
    let file = TemporaryFile(made.text)
    for _ in 1...4 {
      let (window, size) = (random.number(1...200), random.number(1...9) == 1 ? 1000 : random.number(1...20))
      let listing = source(file, window: window).listing(size: size, on: clock)
      #expect(listing.items == made.items, "windows of \(window) bytes, pages of \(size)")
      #expect(listing.faults.count == made.faults)
      #expect(listing.pages == max(1, (made.items.count + size - 1) / size), "pages of \(size)")
    }
  }

  @Test(arguments: [false, true])
  func `windows may end anywhere within items`(isArray: Bool) {
    let items = ["{\"id\":1,\"x\":\"é\\n\"}", "{\"id\":-2.5e3}", "{\"x\":[{},[]],\"id\":\"𝄞\"}", "{\"id\":4}"]
    let file = TemporaryFile(isArray ? "[\(items.joined(separator: " ,\n"))]" : items.joined(separator: "\r\n"))
    for window in 1...70 {
      for size in 1...5 {
        #expect(source(file, window: window).listing(size: size, on: clock).items == items)
      }
    }
  }

  @Test(arguments: 0..<20)
  func `pages asked for in any order are those of a listing`(seed: Int) {
    var random = Randomness(seed: seed)
    let made = MadeFile(using: &random, items: 300)
    let file = TemporaryFile(made.text)
    let source = source(file, window: random.number(16...400))
    for _ in 1...30 {
      let (key, size) = (random.number(0...320), random.number(1...40))
      let page = source.outcome(key: key, size: size, on: clock).page
      #expect(page?.texts == Array(made.items.dropFirst(key).prefix(size)), "\(size) from \(key)")
    }
  }

  @Test(arguments: 0..<20)
  func `a query lists what matches, in order, whatever the page size`(seed: Int) {
    var random = Randomness(seed: seed)
    let made = MadeFile(using: &random, items: 300)
    let file = TemporaryFile(made.text)
    let matching = made.items.filter { $0.contains("\"apple") }
    let listing = source(file, window: random.number(16...400)).listing(
      query: "ＡＰＰＬＥ", size: random.number(1...30), on: clock)
    #expect(listing.items == matching)
    #expect(listing.faults.count == made.faults)
  }
}

/// A file of items, broken lines among them, laid out at random.
private struct MadeFile {
  private(set) var text = ""
  private(set) var items: [String] = []
  private(set) var faults = 0

  init(using random: inout Randomness, items count: Int? = nil) {
    let isArray = random.number(0...2) == 0
    let count = count ?? random.number(0...60)
    var records: [String] = []
    for number in 0..<count {
      while random.number(0...9) == 0 {
        records.append(
          isArray ? ["7", "{}", "[{}]"][random.number(0...2)] : ["7", "{\"id\"}", "oops"][random.number(0...2)])
        faults += 1
      }
      let fruit = ["apple", "pear", "plum 梅"][random.number(0...2)]
      let body = String(
        repeating: "né ", count: random.number(0...9) == 0 ? random.number(0...90) : random.number(0...5))
      items.append("{\"id\":\(number),\"fruit\":\"\(fruit)\",\"body\":\"\(body)\"}")
      records.append(items[number])
    }
    if isArray {
      text = "[" + records.joined(separator: [",", " ,\n", "\n\n,  "][random.number(0...2)]) + " ]\n"
    } else {
      let lineEnd = ["\n", "\r\n", "\n \n\n"][random.number(0...2)]
      text = records.joined(separator: lineEnd) + (random.number(0...1) == 0 ? "" : lineEnd)
    }
    if random.number(0...2) == 0 { text = "\u{FEFF}" + text }
  }
}
