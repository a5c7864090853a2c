internal import Glibc
internal import Flow
internal import Nagare
internal import Paging
internal import WireJSON

/// What a long list takes.
enum Memory {
  private struct Screen { var list = Paged<RawJSON>() }

  /// What a list of 1,000,000 takes in all, whose pages come one by one.
  ///
  /// - Parameter isLive: whether its source says how it changes.
  /// - Returns: bytes.
  static func ofList(isLive: Bool) -> Double {
    let before = residentBytes()
    let more = Trigger()
    let state = Feedback(Screen(), on: VirtualScheduler())
    var mails = Mails(bodySize: 80)
    state.on(more) { $0.list.load($0.list.phase == .nothing ? .appear : .loadMore) }
    if isLive { state.follow(\.list) { _ in .just(SourceChanges(state: "0")).concat(.never()) } }
    state.react(to: \.list) { (request: PageRequest) -> Observable<Page<RawJSON>> in
      let number = request.key?.int ?? 0
      return .just(Page(items: mails.page(number), next: try? RawJSON(encoding: number + 1), state: "0"))
    }
    let bag = DisposeBag()
    state.list.items.subscribe { _ in }.disposed(by: bag)
    for _ in 0..<50_000 { more.on(.next(())) }
    precondition(state.state.list.count == 1_000_000 && state.state.list.isLive == isLive)
    return withExtendedLifetime(bag) { Double(residentBytes() - before) }
  }

  /// What an item takes beyond its own bytes.
  static func bytesAnItem() -> Double {
    let pages = 50_000
    let before = residentBytes()
    var mails = Mails(bodySize: 80)
    var list = ItemList()
    var ownBytes = 0
    for number in 0..<pages {
      // One after the other, as they come: what a page alone needed is free again for the next.
      let page = mails.page(number)
      list.append(page)
      ownBytes += page.slices.reduce(0) { $0 + Int($1.length) }
    }
    let taken = residentBytes() - before - ownBytes
    precondition(list.count == 20 * pages)
    return Double(taken) / Double(list.count)
  }

  /// The memory the process has now: the second number of Linux's `/proc/self/statm`, which counts pages. `getrusage`
  /// knows the most it ever had, which doesn't fall when memory is given back.
  private static func residentBytes() -> Int {
    // The C library's streams; the file is closed before this returns, and the buffer is as long as is said.
    guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
    defer { unsafe fclose(file) }
    let text = unsafe String(unsafeUninitializedCapacity: 128) { unsafe fread($0.baseAddress, 1, $0.count, file) }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }
}
