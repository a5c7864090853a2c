internal import Flow
internal import Nagare
internal import Paging
internal import ResidentMemory
internal import WireJSON

/// The memory of a long list.
enum Memory {
  private struct Screen { var list = Paged<RawJSON>() }

  /// Measures a list of 1,000,000 items whose pages arrive one by one.
  ///
  /// - Parameter isLive: whether its source reports changes.
  /// - Returns: the bytes of the whole list.
  static func ofList(isLive: Bool) -> Double {
    let before = ResidentMemory.bytes
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
    return withExtendedLifetime(bag) { Double(ResidentMemory.bytes - before) }
  }

  /// Measures marks on all rows of a list of 10,000,000, with 1,000 exceptions.
  ///
  /// - Returns: the bytes of the marks.
  static func ofMarks() -> Double {
    let size = 10_000_000
    var list = Paged<RawJSON>(
      PagingOptions(hasMarks: true), source: SourceCapabilities(positions: true), margin: 500)
    var mails = Mails(bodySize: 80)
    func load() throws {
      while case .one(let number) = list.wanted, let request = list.request(number) {
        let start = request.position ?? 0
        var page = Page<RawJSON>(items: mails.mails(start..<start + request.size), total: size)
        page.position = start
        try list.receive(page, of: number)
      }
    }
    do {
      list.first()
      try load()
      list.setViewport(0..<1000)
      try load()
      let before = ResidentMemory.bytes
      try list.mark(Marking(all: true))
      for item in Array(list.items.prefix(1000)) { try list.unmark(Marking(id: ItemID(item.id))) }
      precondition(list.marks.count == size - 1000)
      return Double(ResidentMemory.bytes - before)
    } catch { preconditionFailure("\(error)") }
  }

  /// Measures the bytes of an item beyond its own JSON.
  static func bytesAnItem() -> Double {
    let pages = 50_000
    let before = ResidentMemory.bytes
    var mails = Mails(bodySize: 80)
    var list = ItemList()
    var ownBytes = 0
    for number in 0..<pages {
      // One after the other, as they arrive. So memory used only for making a page is free again for the next one.
      let page = mails.page(number)
      list.append(page)
      ownBytes += page.slices.reduce(0) { $0 + Int($1.length) }
    }
    let taken = ResidentMemory.bytes - before - ownBytes
    precondition(list.count == 20 * pages)
    return Double(taken) / Double(list.count)
  }
}
