import Paging
import PageSources
import Flow
import RPC
import Testing
import WireJSON

/// Long loads share the work of a turn, and continue in further turns.
@Suite struct FileTurnTests {
  private let clock = VirtualScheduler()
  private let file = TemporaryFile(
    (0..<1000).map { "{\"id\":\($0),\"text\":\"\($0 == 999 ? "needle" : "straw, some more straw, and hay")\"}\n" }
      .joined())
  private var limits = FileSource.Limits()

  init() {
    limits.window = 4096
    limits.share = 8192
  }

  private func source(turn: Int) -> Source<RawJSON> {
    var limits = limits
    limits.turn = turn
    return FileSource(path: file.path, name: "mails.jsonl", id: "id", limits: limits, on: clock).source
  }

  /// Begins searches for an item at the end of the file.
  private func begin(_ count: Int, of source: Source<RawJSON>, _ found: @escaping (Int, Page<RawJSON>) -> Void)
    -> [any Disposable]
  {
    (0..<count).map { number in
      source.load(PageRequest(query: "needle", size: 1)).subscribe(onNext: { found(number, $0) })
    }
  }

  /// Runs timers until none is left.
  ///
  /// - Returns: the number of timers that fired.
  private func runTimers() -> Int {
    var count = 0
    clock.run(until: clock.now) { count += 1 }
    return count
  }

  @Test func `loads that begin together share the work of one turn`() {
    let source = source(turn: 64 << 10)
    var order: [Int] = []
    let loads = begin(20, of: source) { number, page in
      #expect(page.ids == ["999"])
      order.append(number)
    }
    // A search reads 60 kB, and each byte is 5 work, so one load takes several turns. Twenty loads take twenty times as
    // many, except for the work that each may do immediately.
    let turns = runTimers()
    #expect((60...120).contains(turns))
    #expect(order.sorted() == Array(0..<20))
    for load in loads { load.dispose() }
  }

  @Test func `a long load reports its progress`() {
    var limits = limits
    limits.turn = 16 << 10
    let source = FileSource(
      path: file.path, name: "mails.jsonl", id: "id", limits: limits, on: SlowClock(clock)
    ).source
    var said: [LoadProgress] = []
    let load = source.load(PageRequest(query: "needle", size: 1)) {
      if case .progress(let progress) = $0 { said.append(progress) }
    }.subscribe { _ in }
    clock.run(until: .seconds(60))
    #expect(said.count > 5)
    #expect(Set(said.map(\.total)).count == 1 && said.allSatisfy { $0.unit == "bytes" && $0.done <= $0.total ?? 0 })
    #expect(said.map(\.done) == said.map(\.done).sorted())
    load.dispose()
  }

  @Test func `each value of a filter counts as work`() throws {
    func turns(_ values: Int) throws -> Int {
      let filters = try Filters(json: RawJSON("{\"text\":[\((0..<values).map(String.init).joined(separator: ","))]}"))
      let load = source(turn: 64 << 10).load(PageRequest(filters: filters, size: 1)).subscribe()
      defer { load.dispose() }
      return runTimers()
    }
    #expect(try turns(1) < 5)
    let many = try turns(1000)
    #expect(many > 400)
  }

  @Test func `a cancelled load uses no turn`() {
    let source = source(turn: 16 << 10)
    var found = 0
    let loads = begin(20, of: source) { _, _ in found += 1 }
    for load in loads.dropLast() { load.dispose() }
    #expect((10...40).contains(runTimers()))
    #expect(found == 1)
  }

  @Test func `pages that need no search come immediately, even while other loads search`() {
    let source = source(turn: 1024)
    let loads = begin(3, of: source) { _, _ in }
    for key in [0, 20, 40] { #expect(source.outcome(key: key, size: 20).page?.ids.count == 20) }
    #expect(source.outcome(query: "straw", size: 5).page?.ids == ["0", "1", "2", "3", "4"])
    for load in loads { load.dispose() }
  }

  @Test(arguments: [" ", "\n"]) func `white space at the start is skipped in turns`(space: String) {
    file.write(Array((String(repeating: space, count: 100_000) + "{\"id\":1}\n").utf8))
    let source = source(turn: 10_000)
    var ids: [String] = []
    let load = source.load(PageRequest(size: 1)).subscribe(onNext: { ids = $0.ids })
    #expect(ids.isEmpty)
    #expect((8...30).contains(runTimers()))
    #expect(ids == ["1"])
    load.dispose()
  }

  @Test func `broken lines are skipped in turns`() {
    file.write(Array((String(repeating: "x\n", count: 20_000) + "{\"id\":1}\n").utf8))
    let source = source(turn: 64_000)
    var page: Page<RawJSON>?
    let load = source.load(PageRequest(size: 1)).subscribe(onNext: { page = $0 })
    #expect(page == nil)
    #expect((15...40).contains(runTimers()))
    #expect(page?.ids == ["1"])
    #expect(page?.failures.last?.message == "mails.jsonl: 19900 more records were left out before the next item")
    load.dispose()
  }

  @Test func `a long item is read and searched in turns`() {
    file.write(Array("{\"id\":1,\"text\":\"\(String(repeating: "straw ", count: 30_000)) needle\"}\n".utf8))
    let source = source(turn: 10_000)
    var ids: [String] = []
    let load = begin(1, of: source) { ids = $1.ids }
    #expect(ids.isEmpty)
    #expect(runTimers() > 60)
    #expect(ids == ["1"])
    load[0].dispose()
  }

  @Test func `a query that is too long fails the load`() {
    let failure = source(turn: 1).outcome(query: String(repeating: "z", count: 4097), size: 1).failure
    #expect(failure?.code == -32602 && failure?.isRetryable == false)
    let demo = DemoSource(.articles, on: clock).source
    #expect(demo.outcome(query: (0..<33).map(String.init).joined(separator: " "), on: clock).failure?.code == -32602)
  }
}

/// A clock that advances by 6 ms each time it is read, as if the work between took that long.
private final class SlowClock: Scheduler {
  private let base: VirtualScheduler
  private var looks = 0

  init(_ base: VirtualScheduler) { self.base = base }

  var timers: TimerQueue { base.timers }

  var now: Duration {
    looks += 1
    return base.now + .milliseconds(6 * looks)
  }

  func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, for observer: Observer<Value>
  ) -> any Disposable { base.run(work, for: observer) }
}
