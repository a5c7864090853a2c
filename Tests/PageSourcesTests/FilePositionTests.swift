import Flow
import ItemList
import Paging
import RPC
import Randomness
import Reactor
import Testing
import WireJSON

@testable import PageSources

@Suite struct FilePositionTests {
  /// The files of a test, which are removed with it.
  private final class Files { var all: [TemporaryFile] = [] }

  private let clock = VirtualScheduler()
  private let files = Files()

  private func file(_ text: String) -> TemporaryFile {
    files.all.append(TemporaryFile(text))
    return files.all[files.all.count - 1]
  }

  private func source(
    _ file: TemporaryFile, window: Int = 64, turn: Int = 1 << 20, keepsIndex: Bool = false
  ) -> Source<RawJSON> {
    var limits = FileSource.Limits()
    (limits.window, limits.turn, limits.share) = (window, turn, min(turn, limits.share))
    return FileSource(path: file.path, name: "f", id: "id", limits: limits, keepsIndex: keepsIndex, on: clock).source
  }

  private func lines(_ range: Range<Int>) -> String { range.map { "{\"id\":\($0)}\n" }.joined() }

  private func request(at position: Int, query: String? = nil, size: Int = 3) -> PageRequest {
    var request = PageRequest(query: query, size: size)
    request.position = position
    return request
  }

  private func request(around id: Int, query: String? = nil, size: Int = 4) -> PageRequest {
    var request = PageRequest(query: query, size: size)
    request.around = ItemID(id.json)
    return request
  }

  /// The ids of all pages from a page forwards, and of all pages from it backwards.
  private func walk(_ source: Source<RawJSON>, from page: Page<RawJSON>, size: Int) -> (on: [String], back: [String]) {
    var (on, back) = ([String](), [String]())
    var key = page.next
    while let next = key, let page = source.outcome(PageRequest(key: next, size: size), on: clock).page {
      on += page.ids
      key = page.next
    }
    key = page.previous
    while let previous = key, let page = source.outcome(PageRequest(key: previous, size: size), on: clock).page {
      back = page.ids + back
      key = page.previous
    }
    return (on, back)
  }

  @Test(arguments: [64, 4096], [0, 1, 255, 256, 257, 700, 999, 1000, 5000])
  func `a page of lines is found by its position, and has keys in both directions`(window: Int, position: Int) throws {
    let source = source(file(lines(0..<1000)), window: window)
    let page = try #require(source.outcome(request(at: position), on: clock).page)
    let start = min(position, 1000)
    #expect(page.position == start)
    #expect(page.ids == (start..<min(1000, start + 3)).map(String.init))
    let (on, back) = walk(source, from: page, size: 300)
    #expect(back + page.ids + on == (0..<1000).map(String.init))
  }

  @Test func `a position counts all nonblank lines, also broken ones`() throws {
    let text =
      "\u{FEFF}\r\n{\"id\":0}\r\n  \t\r\n\n{\"id\":1}\n{broken\n[]\n\n   {\"id\":4}\n\r\r\n{\"id\":5}\n\u{1}\n{\"id\":7}"
    let source = source(file(text))
    let all = try #require(source.outcome(request(at: 0, size: 100), on: clock).page)
    #expect(all.ids == ["0", "1", "4", "5", "7"])
    #expect(all.total == 8 && all.next == nil && all.isTotalExact)
    #expect(all.failures.map { String($0.message.prefix(6)) } == ["f:6:2:", "f:7:1:", "f:12:1"])
    let page = try #require(source.outcome(request(at: 2, size: 3), on: clock).page)
    #expect(page.ids == ["4"] && page.position == 2 && page.next?.text == #"{"at":5}"# && page.failures.count == 2)
    #expect(page.previous?.text == #"{"before":2}"#)
    #expect(source.outcome(PageRequest(key: page.previous, size: 9), on: clock).page?.ids == ["0", "1"])
    #expect(source.outcome(PageRequest(key: page.next, size: 9), on: clock).page?.ids == ["5", "7"])
  }

  @Test func `a line that is too long counts as one position`() throws {
    let file = self.file(lines(0..<3) + "{\"id\":\"\(String(repeating: "x", count: 500))\"}\n" + lines(4..<9))
    var limits = FileSource.Limits()
    (limits.window, limits.item) = (64, 100)
    let source = FileSource(path: file.path, name: "f", id: "id", limits: limits, on: clock).source
    let page = try #require(source.outcome(request(at: 2), on: clock).page)
    #expect(page.ids == ["2", "4"] && page.next?.text == #"{"at":5}"# && page.failures.count == 1)
    #expect(source.outcome(request(at: 5), on: clock).page?.ids == ["5", "6", "7"])
  }

  @Test(arguments: ["id", "key"]) func `a page is found around an item`(id: String) throws {
    let file = self.file((0..<1000).map { "{\"\(id)\":\($0)}\n\n" }.joined())
    let source = FileSource(path: file.path, name: "f", id: id, on: clock).source
    for (item, start) in [(0, 0), (1, 0), (2, 0), (3, 1), (500, 498), (999, 997)] {
      let page = try #require(source.outcome(request(around: item), on: clock).page)
      #expect(page.ids == (start..<min(1000, start + 4)).map(String.init) && page.position == start)
    }
    let failure = source.outcome(request(around: 1000), on: clock).failure
    #expect(failure?.code == -32015 && failure?.message.hasPrefix("f has no item 1000") == true)
  }

  @Test func `in an array or a query a position counts items`() throws {
    let items = (0..<200).map { "{\"id\":\($0),\"a\":\"\($0 % 3 == 0 ? "tea" : "ink")\"}" }
    for file in [self.file("[\(items.joined(separator: ","))]"), self.file(items.joined(separator: "\n"))] {
      let source = source(file)
      let tea = (0..<200).filter { $0 % 3 == 0 }.map(String.init)
      let page = try #require(source.outcome(request(at: 20, query: "tea"), on: clock).page)
      #expect(page.ids == Array(tea[20..<23]) && page.position == 20)
      let first = try #require(source.outcome(query: "tea", size: 2).page)
      #expect(first.ids == ["0", "3"] && first.position == 0 && first.total == nil)
      #expect(
        source.outcome(PageRequest(key: page.next, query: "tea", size: 2), on: clock).page?.ids == Array(tea[23..<25]))
      #expect(
        source.outcome(PageRequest(key: page.previous, query: "tea", size: 2), on: clock).page?.ids
          == Array(tea[18..<20]))
      #expect(source.outcome(request(at: 500, query: "tea"), on: clock).page?.position == tea.count)
      let around = try #require(source.outcome(request(around: 99, query: "tea"), on: clock).page)
      #expect(around.ids == ["93", "96", "99", "102"] && around.position == 31)
      #expect(source.outcome(request(around: 0, query: "tea"), on: clock).page?.position == 0)
      #expect(source.outcome(request(around: 100, query: "tea"), on: clock).failure?.code == -32015)
      #expect(source.outcome(request(at: 150), on: clock).page?.ids == ["150", "151", "152"])
      #expect(source.outcome(request(around: 150), on: clock).page?.position == 148)
      #expect(source.outcome(request(at: 500), on: clock).page?.position == 200)
    }
  }

  @Test func `the total is estimated until the index reaches the end, which happens in turns`() throws {
    let source = source(file(lines(100..<900)), turn: 64)
    let first = try #require(source.outcome(PageRequest(size: 2)).page)
    #expect(first.position == 0 && (780...820).contains(first.total ?? 0) && !first.isTotalExact)
    var (page, turns) = (Page<RawJSON>?.none, 0)
    func takeTurn() {
      turns += 1
      if page == nil, turns < 1000 { _ = clock.schedule(after: .zero, takeTurn) }
    }
    takeTurn()
    let load = source.load(request(at: 300)).subscribe { page = $0 }
    clock.advance(by: .zero)
    #expect(turns > 3)
    #expect(page?.ids == ["400", "401", "402"])
    #expect(page?.isTotalExact == false)
    #expect((780...820).contains(page?.total ?? 0))
    load.dispose()
    clock.run()
    for request in [request(at: 0), PageRequest(size: 3)] {
      let next = try #require(source.outcome(request, on: clock).page)
      #expect(next.isTotalExact && next.total == 800)
    }
  }

  @Test func `a load by position can be cancelled, and is correct or fails if the file changes`()
    throws
  {
    let file = self.file(lines(0..<1000))
    let source = source(file, turn: 64)
    source.load(request(at: 999)).subscribe { _ in Issue.record("a page came") }.dispose()
    clock.run()
    #expect(source.outcome(request(at: 998), on: clock).page?.ids == ["998", "999"])
    file.write(Array(lines(5000..<5100).utf8))
    #expect(source.outcome(request(at: 98), on: clock).page?.ids == ["5098", "5099"])
    file.append(lines(5100..<5600))
    let page = source.outcome(request(at: 598), on: clock).page
    #expect(page?.ids == ["5598", "5599"] && page?.total == 600)
  }

  @Test func `in a followed file only complete lines count, also after it has grown`() throws {
    let file = self.file(lines(0..<300) + "{\"id\":300")
    let source = FileSource(path: file.path, name: "f", id: "id", on: clock) { _ in clock }.source
    #expect(source.outcome(PageRequest(size: 2)).page?.total == nil)
    var page = source.outcome(request(at: 299), on: clock).page
    #expect(page?.ids == ["299"] && page?.total == 300 && page?.isTotalExact == true && page?.state != nil)
    file.append("}\n" + lines(301..<600))
    page = source.outcome(request(at: 299), on: clock).page
    #expect(page?.ids == ["299", "300", "301"])
    page = source.outcome(request(at: 599), on: clock).page
    #expect(page?.ids == ["599"] && page?.total == 600)
    file.replace(lines(5..<8))
    #expect(source.outcome(PageRequest(size: 9), on: clock).page?.ids == ["5", "6", "7"])
    #expect(source.outcome(request(at: 2), on: clock).page?.ids == ["7"])
  }

  // MARK: - The stored index

  /// Whether the number of lines is known without reading them.
  private func trustsIndex(of file: TemporaryFile) throws -> Bool {
    let source = source(file, keepsIndex: true)
    let first = try #require(source.outcome(PageRequest(size: 1)).page)
    #expect(try #require(source.outcome(request(at: 1)).page).isTotalExact == first.isTotalExact)
    return first.isTotalExact
  }

  private func kept(_ file: TemporaryFile) throws -> [UInt8] {
    _ = source(file, keepsIndex: true).outcome(request(at: .max), on: clock)
    return try Descriptor.contents(of: file.indexPath)
  }

  @Test func `a stored index is used, and none is stored unless requested`() throws {
    let file = self.file(lines(0..<1000))
    _ = source(file).outcome(request(at: .max), on: clock)
    #expect(throws: SystemError.self) { try Descriptor.contents(of: file.indexPath) }
    #expect(try !trustsIndex(of: file))
    #expect(try !kept(file).isEmpty)
    #expect(try trustsIndex(of: file))
    let page = source(file, keepsIndex: true).outcome(request(at: 700)).page
    #expect(page?.ids == ["700", "701", "702"] && page?.total == 1000)
  }

  @Test func `the index of another or changed file is ignored and built again`() throws {
    let (file, other) = (self.file(lines(1000..<2000)), self.file(lines(3000..<4000)))
    other.writeIndex(try kept(file))
    #expect(try !trustsIndex(of: other))
    _ = try kept(other)
    #expect(try trustsIndex(of: other))
    _ = try kept(file)
    file.write(Array(lines(1000..<2000).utf8))
    #expect(try !trustsIndex(of: file))
    _ = try kept(file)
    file.append(lines(0..<1))
    #expect(try !trustsIndex(of: file))
    #expect(source(file, keepsIndex: true).outcome(request(at: 1000), on: clock).page?.ids == ["0"])
  }

  @Test func `a truncated or altered index is ignored`() throws {
    let file = self.file(lines(0..<1000))
    let bytes = try kept(file)
    for count in [0, 1, 8, bytes.count / 2, bytes.count - 8, bytes.count - 1] {
      file.writeIndex(Array(bytes.prefix(count)))
      #expect(try !trustsIndex(of: file))
    }
    for place in stride(from: 0, to: bytes.count, by: 3) {
      var changed = bytes
      changed[place] ^= 0x41
      file.writeIndex(changed)
      #expect(try !trustsIndex(of: file))
    }
    file.writeIndex(bytes + bytes)
    #expect(try !trustsIndex(of: file))
    file.writeIndex([UInt8](repeating: 0, count: 4096))
    #expect(try !trustsIndex(of: file))
    file.writeIndex(bytes)
    #expect(try trustsIndex(of: file))
  }

  @Test func `rows are correct whatever numbers a stored index has`() throws {
    let file = self.file(lines(0..<1000))
    let words = words(of: try kept(file))
    for place in words.indices.dropLast() {
      let word = words[place]
      for odd in [-1, 0, 1, 2, 255, 256, 1000, 10_890, 10_891, .max, .max - 1, .min, word &- 1, word &+ 1, word ^ 4] {
        var changed = words.dropLast() as [Int]
        changed[place] = odd
        file.writeIndex(bytes(of: changed + [LineIndex.digest(changed)]))
        let source = source(file, keepsIndex: true)
        let page = source.outcome(request(at: 700), on: clock).page
        #expect(page?.ids == ["700", "701", "702"], "word \(place) is \(odd)")
        #expect(source.outcome(request(around: 900), on: clock).page?.ids == ["898", "899", "900", "901"])
      }
    }
  }

  private func words(of bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count, by: 8).map { start in
      bytes[start..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
  }

  private func bytes(of words: [Int]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
  }

  @Test func `pages load even if no index can be stored`() throws {
    let file = self.file(lines(0..<1000))
    file.preventIndex()
    let source = source(file, keepsIndex: true)
    let page = source.outcome(request(at: 998), on: clock).page
    #expect(page?.ids == ["998", "999"] && page?.total == 1000)
    #expect(try !trustsIndex(of: file))
    // The folder contains nothing but the file and the index's folder. Otherwise it couldn't be removed.
    file.remove()
    #expect(file.removeFolders())
  }
}

@Suite struct LineIndexTests {
  @Test func `the index equals a simple count of lines for pieces of any size`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<300 {
      let alphabet: [UInt8] = Array("ab{ \t\r\n\n\n".utf8)
      let bytes = (0..<Int.random(in: 0..<4000, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
      var (index, starts, line, start) = (LineIndex(startingAt: 3), [Int](), [UInt8](), 0)
      for (place, byte) in bytes.enumerated() {
        line.append(byte)
        if byte == 0x0A || place == bytes.count - 1 {
          if line.contains(where: { ![0x20, 0x09, 0x0D, 0x0A].contains($0) }) { starts.append(start + 3) }
          (line, start) = ([], place + 1)
        }
      }
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 1...700, using: &random))
        index.proceed(over: Array(part))
        rest = rest.dropFirst(part.count)
      }
      #expect(index.count == starts.count && index.end == bytes.count + 3)
      for (number, mark) in index.marks.enumerated().dropFirst() {
        // Blank lines may come between a mark and its line.
        let line = number * LineIndex.stride
        #expect(mark.offset > starts[line - 1] && (line == starts.count || mark.offset <= starts[line]))
        #expect(mark.lineFeeds == bytes.prefix(mark.offset - 3).count { $0 == 0x0A })
      }
      #expect(LineIndex(index.bytes(for: [1, 2]), for: [1, 2]) == index)
      #expect(LineIndex(index.bytes(for: [1, 2]), for: [1, 3]) == nil)
    }
  }
}
