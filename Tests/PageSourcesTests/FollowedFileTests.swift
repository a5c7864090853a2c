import Flow
import ItemList
import PageSources
import Paging
import RPC
import Randomness
import Testing
import WireJSON

@Suite struct FollowedFileTests {
  /// Stands in for the system, which notifies of changes.
  private final class Notices {
    var handlers: [Int: (Bool) -> Void] = [:]
    var last = 0

    func tell(isPoll: Bool = false) { for handler in handlers.values { handler(isPoll) } }
  }

  private final class Notice {
    let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
  }

  private let clock = VirtualScheduler()
  private let file = TemporaryFile("{\"id\":1}\n{\"id\":2}\n")
  private let notices = Notices()

  private func source(item: Int = 16 << 20, turn: Int = 1 << 20, window: Int = 256 << 10) -> Source<RawJSON> {
    var limits = FileSource.Limits()
    (limits.item, limits.turn, limits.window) = (item, turn, window)
    return FileSource(path: file.path, name: "log", id: "id", limits: limits, on: clock) { [notices] handler in
      notices.last += 1
      let number = notices.last
      notices.handlers[number] = handler
      return Notice { notices.handlers[number] = nil }
    }.source
  }

  private func list(_ source: Source<RawJSON>, filters: Filters? = nil) -> FollowedList {
    let list = FollowedList(source, filters: filters, on: clock)
    list.perform { $0.first() }
    return list
  }

  /// Notifies of a change of the file.
  private func tell(isPoll: Bool = false) {
    notices.tell(isPoll: isPoll)
    clock.advance(by: .zero)
  }

  @Test func `appended lines are listed at the end when they are complete`() {
    let list = list(source())
    #expect(list.ids == ["1", "2"])
    file.append("{\"id\":3}\n{\"id\"")
    #expect(list.ids == ["1", "2"])
    tell()
    #expect(list.ids == ["1", "2", "3"] && list.list.total == 3)
    file.append(":4}")
    tell()
    #expect(list.ids == ["1", "2", "3"])
    file.append("\n\n{\"id\":1,\"again\":true}\n")
    tell()
    #expect(list.ids == ["2", "3", "4", "1"] && list.failures == [])
  }

  @Test func `an incomplete last line isn't listed and isn't a failure`() {
    file.append("{\"id\":3")
    let list = list(source())
    #expect(list.ids == ["1", "2"] && list.failures == [] && list.list.total == 2)
    file.append("}\n")
    tell()
    #expect(list.ids == ["1", "2", "3"])
  }

  @Test func `a broken line is reported once with its location, and the others are listed`() {
    let list = list(source())
    file.append("nonsense\n{\"id\":3}\n{\"no\":1}\n")
    tell()
    #expect(list.ids == ["1", "2", "3"])
    #expect(list.failures.count == 1 && list.failures.first?.hasPrefix("log:3:1: ") == true)
    tell(isPoll: true)
    file.append("{\"id\":4}\n")
    tell()
    #expect(list.ids == ["1", "2", "3", "4"] && list.failures.count == 1)
  }

  @Test func `a list that hasn't reached the end doesn't list appended lines`() {
    let source = source()
    let list = FollowedList(source, pageSize: 1, on: clock)
    list.perform { $0.first() }
    file.append("{\"id\":3}\n")
    tell()
    #expect(list.ids == ["1"])
    for _ in 1...2 { list.perform { $0.next() } }
    #expect(list.ids == ["1", "2", "3"] && !list.list.hasMore)
    file.append("{\"id\":4}\n")
    tell()
    #expect(list.ids == ["1", "2", "3", "4"])
  }

  @Test func `only appended lines that match the filters are listed`() throws {
    let list = list(source(), filters: try Filters(json: RawJSON(#"{"id":{"from":2}}"#)))
    file.append("{\"id\":0}\n{\"id\":7}\n")
    tell()
    #expect(list.ids == ["2", "7"])
  }

  @Test(arguments: ["", "{\"a\":1}\n"]) func `appended records without an id get their offset as their id`(
    first: String
  ) throws {
    file.write(Array(first.utf8))
    let source = source()
    let (list, filtered) = (list(source), list(source, filters: try Filters(json: RawJSON(#"{"id":{"from":9}}"#))))
    let ids = first.isEmpty ? [] : ["0"]
    #expect(list.ids == ids && filtered.ids == [])
    let start = first.utf8.count
    file.append("{\"a\":2}\n{\"a\":")
    tell()
    #expect(list.ids == ids + ["\(start)"])
    file.append("3}\n{\"id\":99}\n")
    tell()
    #expect(list.ids == ids + ["\(start)", "\(start + 8)", "99"] && list.failures == [])
    #expect(list.texts[ids.count + 1] == "{\"id\":\(start + 8),\"a\":3}")
    #expect(filtered.ids == (first.isEmpty ? ["99"] : ["16", "99"]))
    file.replace("{\"id\":1}\n{\"a\":2}\n")
    tell()
    #expect(list.ids == ["1"] && list.failures.count == 1)
  }

  @Test func `a file that was replaced, cut or overwritten is loaded again`() {
    let list = list(source())
    file.replace("{\"id\":7}\n{\"id\":8}\n{\"id\":9}\n")
    tell()
    #expect(list.ids == ["7", "8", "9"])
    file.write(Array("{\"id\":7}\n".utf8))
    tell()
    #expect(list.ids == ["7"])
    file.append("{\"id\":8}\n")
    tell()
    #expect(list.ids == ["7", "8"])
    file.write(Array("{\"id\":5}\n{\"id\":6}\n{\"id\":7}\n".utf8))
    tell()
    #expect(list.ids == ["5", "6", "7"])
    // Only the time has changed. A program may be about to append, so nothing happens until the next poll.
    file.write(Array("{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n".utf8))
    tell()
    #expect(list.ids == ["5", "6", "7"])
    tell(isPoll: true)
    #expect(list.ids == ["1", "2", "3"])
    file.write([])
    tell()
    #expect(list.ids == [])
    file.append("[{\"id\":4}]")
    tell()
    #expect(list.ids == ["4"] && list.failures == [])
    file.write(Array("[{\"id\":4},{\"id\":5}]".utf8))
    tell()
    #expect(list.ids == ["4", "5"])
  }

  @Test func `a removed file stays listed until another one exists`() {
    let list = list(source())
    file.remove()
    tell(isPoll: true)
    #expect(list.ids == ["1", "2"] && list.failures == [])
    file.write(Array("{\"id\":3}\n".utf8))
    tell()
    #expect(list.ids == ["3"])
  }

  @Test func `a file that is created later is listed by the next load`() {
    file.remove()
    let list = list(source())
    #expect(list.ids == [] && list.failures == ["can't open log: No such file or directory"])
    file.write(Array("{\"id\":3}\n".utf8))
    tell(isPoll: true)
    list.perform { $0.retry() }
    #expect(list.ids == ["3"])
    file.append("{\"id\":4}\n")
    tell()
    #expect(list.ids == ["3", "4"])
  }

  @Test func `many appended lines are listed in turns, and too many are loaded again`() {
    let list = list(source(item: 10_000, turn: 100))
    file.append((3...500).map { "{\"id\":\($0)}\n" }.joined())
    notices.tell(isPoll: false)
    #expect((3...20).contains(list.list.count))
    clock.advance(by: .zero)
    #expect(list.ids == (1...500).map(String.init))
    file.append((501...5000).map { "{\"id\":\($0)}\n" }.joined())
    tell()
    // The first page is listed, and there are more.
    #expect(list.list.count < 5000 && list.list.hasMore && list.failures == [])
    list.complete(on: clock)
    #expect(list.ids == (1...5000).map(String.init))
  }

  @Test func `a line that grows beyond the limit isn't an item`() {
    let list = list(source(item: 1000, turn: 100, window: 64))
    for _ in 1...50 {
      file.append(String(repeating: "x", count: 99))
      tell()
    }
    file.append("\n{\"id\":3}\n")
    tell()
    list.complete(on: clock)
    #expect(list.ids == ["1", "2", "3"])
  }

  @Test func `an unwatched file reports nothing and isn't checked`() {
    let source = source()
    var states: [String?] = []
    let end = source.changes(WatchRequest()).subscribe(onNext: { states.append($0.state) })
    #expect(states.count == 1 && notices.handlers.count == 1)
    end.dispose()
    #expect(notices.handlers.isEmpty)
    #expect(!FileSource(path: file.path, id: "id", on: clock).source.capabilities.live)
    var failure: LoadFailure?
    source.changes(WatchRequest(state: "x")).subscribe(onError: { failure = $0 as? LoadFailure }).dispose()
    #expect(failure?.code == -32014 && notices.handlers.isEmpty)
  }

  /// For any changes of the file, in any order with pages and notices, the list equals the file at the end.
  @Test(arguments: 0..<60) func `a list equals its followed file after any changes`(seed: Int) {
    var random = SplitMix64(seed: seed)
    let source = source(item: 400, turn: 40, window: 64)
    let list = FollowedList(source, pageSize: Int.random(in: 1...8, using: &random), on: clock)
    list.perform { $0.first() }
    var (content, last) = ("{\"id\":1}\n{\"id\":2}\n", 2)
    func line() -> String {
      last += 1
      return
        "{\"id\":\(last)\(Int.random(in: 0..<9, using: &random) == 0 ? ",\"x\":\"\(String(repeating: "y", count: 90))\"" : "")}\n"
    }
    for step in 1...60 {
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<5:
        var text = (0..<Int.random(in: 0...6, using: &random)).map { _ in line() }.joined()
        if !content.hasSuffix("\n") { text = "\n" + text }
        if Int.random(in: 0..<5, using: &random) == 0, text.hasSuffix("\n") { text.removeLast() }
        content += text
        file.append(text)
      case 5 where Int.random(in: 0..<4, using: &random) == 0:
        content = (0..<Int.random(in: 0...30, using: &random)).map { _ in line() }.joined()
        file.replace(content)
      case 6 where Int.random(in: 0..<4, using: &random) == 0:
        content = (0..<Int.random(in: 0...3, using: &random)).map { _ in line() }.joined()
        file.write(Array(content.utf8))
      case 7..<9: list.perform { $0.next() }
      case 9: list.perform { $0.first() }
      case 10..<13: notices.tell(isPoll: Bool.random(using: &random))
      default: clock.advance(by: .zero)
      }
      guard step.isMultiple(of: 20) else { continue }
      for _ in 1...2 { tell(isPoll: true) }
      list.complete(on: clock)
      let whole = content[..<(content.lastIndex(of: "\n").map { content.index(after: $0) } ?? content.startIndex)]
      let expected = whole.split(separator: "\n").map(String.init)
      #expect(list.texts == expected, "seed \(seed), step \(step)")
    }
  }
}

extension FollowedList {
  /// Loads all pages.
  fileprivate func complete(on clock: VirtualScheduler) {
    for _ in 0..<5000 where list.hasMore || list.isLoading {
      perform { $0.next() }
      clock.advance(by: .zero)
    }
  }

  fileprivate var ids: [String] { list.items.map { $0.id.text } }
}
