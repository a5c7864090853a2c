import Paging
import ItemList
import PageSources
import Flow
import RPC
import Testing
import WireJSON

@Suite struct FileChangeTests {
  let clock = VirtualScheduler()
  let file = TemporaryFile(FileChangeTests.lines(1...500))
  let source: Source<RawJSON>

  init() { source = FileSource(path: file.path, id: "id", on: clock).source }

  private static func lines(_ ids: ClosedRange<Int>) -> String { ids.map { "{\"id\":\($0)}\n" }.joined() }

  @Test func `a key gives the same page twice`() {
    for _ in 1...2 { #expect(source.outcome(key: 130, size: 2).page?.ids == ["131", "132"]) }
  }

  @Test func `two alternating listings don't disturb each other`() {
    var (one, other) = (PageRequest(size: 7), PageRequest(size: 31))
    var (ones, others) = (Listing(), Listing())
    while one.key != nil || ones.pages == 0 {
      if let page = source.outcome(one).page {
        ones.add(page)
        one.key = page.next
      }
      if others.pages == 0 || other.key != nil, let page = source.outcome(other).page {
        others.add(page)
        other.key = page.next
      }
    }
    let whole = (1...500).map { "{\"id\":\($0)}" }
    #expect(ones.items == whole)
    #expect(others.items == whole)
  }

  @Test func `a file cut short while it is paged gives a shorter list`() {
    #expect(source.outcome(size: 100).page?.next?.text == "100")
    file.write(Array(FileChangeTests.lines(1...120).utf8))
    #expect(source.outcome(key: 100, size: 100).page?.ids.count == 20)
    file.write([])
    #expect(source.outcome(key: 100, size: 100).page?.ids == [])
  }

  @Test func `a file that grows while it is paged gives a longer list`() {
    #expect(source.outcome(key: 400, size: 100).page?.next == nil)
    file.append(FileChangeTests.lines(501...520))
    #expect(source.outcome(key: 400, size: 100).page?.next?.text == "500")
    #expect(source.outcome(key: 500, size: 100).page?.ids.count == 20)
  }

  @Test(arguments: [1, 100, 300, 500], [64, 256 << 10])
  func `a file that was overwritten with a longer one is read from its start`(count: Int, window: Int) {
    var limits = FileSource.Limits()
    limits.window = window
    let source = FileSource(path: file.path, id: "id", limits: limits, on: clock).source
    let first = source.outcome(size: count).page
    #expect(first?.ids.count == count)
    file.write(Array((1...900).reversed().map { "{\"id\":\($0)}\n" }.joined().utf8))
    #expect(source.outcome(key: count, size: 2).page?.ids == ["\(900 - count)", "\(899 - count)"])
  }

  @Test func `in a file that grows, reading continues after the last read line`() {
    file.write(Array("{\"id\":1}\n{\"id\":2}\n".utf8))
    #expect(source.outcome(size: 2).page?.next == nil)
    for id in 3...9 {
      file.append("{\"id\":\(id)}\n")
      #expect(source.outcome(key: id - 1, size: 2).page?.ids == ["\(id)"])
    }
  }

  @Test func `a file that was overwritten with the same length is read from its start`() {
    #expect(source.outcome(size: 300).page?.next?.text == "300")
    file.write(Array((1...500).reversed().map { "{\"id\":\($0)}\n" }.joined().utf8))
    #expect(source.outcome(key: 300, size: 1).page?.ids == ["200"])
  }

  @Test func `a replaced file is used from the next first page on`() {
    #expect(source.outcome(size: 100).page?.next?.text == "100")
    file.replace("{\"id\":\"new\"}")
    #expect(source.outcome(key: 100, size: 1).page?.ids == ["101"])
    #expect(source.outcome(size: 1).page?.ids == ["\"new\""])
  }

  @Test func `a load of several turns fails retryably if the file changes meanwhile`() {
    var limits = FileSource.Limits()
    (limits.turn, limits.share) = (64, 64)
    let source = FileSource(path: file.path, name: "mails", id: "id", limits: limits, on: clock).source
    var failure: LoadFailure?
    let far = source.load(PageRequest(key: ItemID(450).raw, size: 1)).subscribe(onError: {
      failure = $0 as? LoadFailure
    })
    file.write(Array(FileChangeTests.lines(1...100).utf8))
    #expect(source.outcome(key: 3, size: 1).page?.ids == ["4"])
    clock.run()
    #expect(
      failure == LoadFailure(.unreachable, "mails was changed while it was read; load again", isRetryable: true))
    far.dispose()
  }

  @Test func `a long load lets other work run and can be cancelled`() {
    var limits = FileSource.Limits()
    (limits.turn, limits.share) = (64, 64)
    limits.window = 32
    let source = FileSource(path: file.path, id: "id", limits: limits, on: clock).source
    var page: Page<RawJSON>?
    let load = source.load(PageRequest(key: ItemID(400).raw, size: 100))
    let called = load.subscribe(onNext: { page = $0 })
    #expect(page == nil)
    called.dispose()
    clock.run()
    #expect(page == nil)
    let kept = load.subscribe(onNext: { page = $0 })
    clock.run()
    #expect(page?.ids.count == 100)
    kept.dispose()
  }
}
