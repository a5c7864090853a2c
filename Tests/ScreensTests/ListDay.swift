import Flow
import LetterPages
import Nagare
import Paging
import Randomness
import Testing

@testable import Screens

/// A random day with a list or a search, one pager at a time, and a chaotic source.
final class ListDay: Day {
  private let isSearch: Bool
  private let source: ChaoticSource
  private let input: List.Input
  private let search = Search.Input()
  private let clears: Bool
  private let bag = DisposeBag()
  private var items = ItemList()
  private var isLoading = false
  private var query = ""
  private var pagers: [Pager] = []
  private var pager: (input: Pager.Input, page: () -> PagerPage?)?
  private var pagerBag = DisposeBag()
  /// The text that was typed last, and the query of the newest load.
  private var typed = ""
  private var newestQuery = ""
  private var loads = 0

  /// The expected effect of an edit on an item.
  private enum Promise {
    /// If the item is listed, it has this version.
    case version(Character)
    /// The item is listed, unless a refresh has cleared the list, or the query has changed since the insertion.
    /// `settled` is the number of loads that had begun when the source made the edit.
    case present(settled: Int?, query: String, isAway: Bool)
    /// The item isn't listed.
    case absent(settled: Int?)
  }
  private var promises: [Character: Promise] = [:]

  init(seed: Int, isSearch: Bool) {
    self.isSearch = isSearch
    var random = SplitMix64(seed: seed &+ 7)
    clears = Bool.random(using: &random)
    let clock = VirtualScheduler()
    source = ChaoticSource(seed: seed &* 31, clock: clock)
    input = isSearch ? search.list : List.Input()
    super.init(seed: seed, clock: clock)
    var settings = ListSettings()
    settings.options.onRefresh = clears ? .clear : .keep
    settings.options.prefetch = Int.random(in: 0...2, using: &random)
    settings.options.throttle = Bool.random(using: &random) ? Milliseconds(0) : Milliseconds(1000)
    settings.detail = "detail"
    let writes = Bool.random(using: &random)
    let kinds: [EditKind] = Bool.random(using: &random) ? [.insert, .remove] : [.insert, .change, .remove]
    let pages =
      writes ? Source(writes: kinds, page: source.load, write: source.write) : Source(page: source.load)
    self.writes = writes
    writesChanges = writes && kinds.contains(.change)
    listen()
    let output: List.Output
    if isSearch {
      let all = Search(settings, debounce: .milliseconds(200), pages).transform(search, on: clock)
      all.query.subscribe(onNext: { [unowned self] in query = $0.string }).disposed(by: bag)
      output = all.list
    } else {
      output = List(settings, pages).transform(input, on: clock)
    }
    output.items.subscribe(onNext: { [unowned self] in items = $0.rows }).disposed(by: bag)
    output.loading.subscribe(onNext: { [unowned self] in isLoading = $0 }).disposed(by: bag)
    output.navigate.subscribe(onNext: { [unowned self] in
      if let pager = $0.viewModel as? Pager { pagers.append(pager) }
    }).disposed(by: bag)
  }

  private var writes = false
  private var writesChanges = false

  override func act() { doSomething() }
  override func check() { look() }
  override func checkAtRest() { lookAtRest() }
}

// MARK: - Actions of the frontend

extension ListDay {
  func doSomething() {
    let letter = letter()
    let id = ItemID(letter.lowercased())
    switch chance(isSearch ? 20 : 17) {
    case 0: ask("appear", input.viewWillAppear)
    case 1, 2: ask("bottom", input.reachBottom)
    case 3: ask("more", input.loadMore)
    case 4: ask("top", input.reachTop)
    case 5: ask("refresh", input.refresh)
    case 6: ask("retry", input.retry)
    case 7: change(letter)
    case 8: insert(letter, before: items.randomElement(using: &random).flatMap { ItemID($0.id) })
    case 9: remove(letter, id)
    case 10:
      note("viewport")
      let start = chance(6)
      try? input.viewport.send(Viewport(start: start, end: start + chance(6)))
    case 11: open(id)
    case 12:
      note("swipe")
      let to = chance(2) == 0 ? Swipe.Direction.next : .previous
      try? pager?.input.swipe.send(Swipe(to: to, id: nil))
    case 13:
      note("swipe to \(id)")
      try? pager?.input.swipe.send(Swipe(to: nil, id: id))
    case 17, 18:
      note("search \(letter)")
      typed = String(letter)
      try? search.search.send(typed)
    case 19:
      typed = ""
      ask("cancelSearch", search.cancelSearch)
    default: pass()
    }
  }

  private func ask(_ name: String, _ port: Trigger) {
    note(name)
    try? port.send()
  }

  private func change(_ letter: Character) {
    note("change \(letter)")
    // The source decides whether the change is made.
    if isListed(letter) { promises[id(of: letter)] = kept(letter, or: writesChanges ? nil : .version(letter)) }
    try? input.change.port.send(.item(item(letter)))
  }

  private func insert(_ letter: Character, before: ItemID?) {
    note("insert \(letter)")
    promises[id(of: letter)] = .present(settled: writes ? nil : loads, query: query, isAway: false)
    try? input.insert.port.send(Insertion(item: item(letter), before: before))
  }

  private func remove(_ letter: Character, _ id: ItemID) {
    note("remove \(letter)")
    guard isListed(letter) else {
      return expect((try? input.remove.port.send(.item(id))) == nil, "an unknown item was removed")
    }
    promises[self.id(of: letter)] = .absent(settled: writes ? nil : loads)
    try? input.remove.port.send(.item(id))
  }

  private func open(_ id: ItemID) {
    note("select \(id)")
    let count = pagers.count
    let isListed = items.contains(id)
    expect(((try? input.select.send(id)) != nil) == isListed, "\(id) was taken wrongly")
    guard pagers.count > count, let opened = pagers.last else { return }
    let input = Pager.Input()
    var page: PagerPage?
    pagerBag = DisposeBag()
    opened.transform(input, on: clock).page.subscribe(onNext: { page = $0 }).disposed(by: pagerBag)
    pager = (input, { page })
  }

  private func id(of letter: Character) -> Character { letter.lowercased().first ?? letter }

  private func isListed(_ letter: Character) -> Bool { items.contains(id(String(id(of: letter)))) }

  private func id(_ text: String) -> ItemID { ItemID(text) }

  /// An inserted item must stay listed. A change of it promises less, so the older promise is kept.
  private func kept(_ letter: Character, or promise: Promise?) -> Promise? {
    if case .present? = promises[id(of: letter)] { return promises[id(of: letter)] ?? promise }
    return promise
  }
}

// MARK: - Actions of the source

extension ListDay {
  private func listen() {
    source.began = { [unowned self] number, request in
      loads = number
      newestQuery = request.query ?? ""
      if request.key == nil, clears { empty() }
    }
    source.answered = { [unowned self] number, request, letters in
      take(letters, of: number, firstOf: request.key == nil ? request.query ?? "" : nil)
    }
    source.decided = { [unowned self] edit, isRefused in decide(edit, isRefused) }
  }

  /// Ends the promises for listed items, because the list was cleared.
  private func empty() {
    for (id, promise) in promises {
      switch promise {
      case .version: promises[id] = nil
      case .present(let settled, let query, _): promises[id] = .present(settled: settled, query: query, isAway: true)
      case .absent: break
      }
    }
  }

  /// Handles a page that somebody waited for. It has the newest versions of its items. A first page contains all edits
  /// that the source had made when it was requested.
  private func take(_ letters: String, of number: Int, firstOf query: String?) {
    let isFirst = query != nil
    for (id, promise) in promises {
      switch promise {
      case .version: if isFirst || letters.lowercased().contains(id) { promises[id] = nil }
      case .present(let settled, let own, _):
        if let query {
          let isKnown = settled.map { $0 < number } == true
          promises[id] = isKnown ? nil : .present(settled: settled, query: own, isAway: own != query)
        }
      case .absent(let settled): if isFirst, let settled, settled < number { promises[id] = nil }
      }
    }
  }

  /// Handles an answered edit, which the source made or refused. If the item was edited again, nothing is known of it.
  private func decide(_ edit: Edit<RawJSON>, _ isRefused: Bool) {
    let id: Character
    switch edit {
    case .insert(let item, _): id = item.member("id")?.string?.first ?? "?"
    case .update(let item): id = item.member("id")?.string?.first ?? "?"
    case .remove(let removed): id = removed.raw.string?.first ?? "?"
    case .marked: return expect(false, "an edit of many is made")
    }
    switch (promises[id], edit.kind) {
    case (.present(nil, let query, let isAway), .insert):
      promises[id] = isRefused ? nil : .present(settled: loads, query: query, isAway: isAway)
    case (.absent(nil), .remove): promises[id] = isRefused ? nil : .absent(settled: loads)
    default: if isRefused { promises[id] = nil }
    }
  }
}

// MARK: - Checks

extension ListDay {
  func look() {
    let letters = items.letters
    expect(Set(letters.lowercased()).count == letters.count, "an id is listed twice: \(letters)")
    expect(!source.hasOverlapped, "two loads ran at once")
    expect(isLoading == (source.running > 0), "loading is \(isLoading) with \(source.running) loads running")
    for (id, promise) in promises {
      let shown = letters.first { $0.lowercased().first == id }
      switch promise {
      case .version(let version): expect(shown == nil || shown == version, "\(version) was lost in \(letters)")
      case .present(_, _, let isAway): expect(shown != nil || isAway, "\(id) was lost from \(letters)")
      case .absent: expect(shown == nil, "\(id) came back in \(letters)")
      }
    }
    guard let page = pager?.page(), !items.isEmpty else { return }
    let place = page.item.member("id").flatMap { ItemID($0) }.flatMap(items.index)
    let isRight = page.index == place && page.count == items.count
    expect(
      isRight && place.map { items[$0].json.text == page.item.text } != false,
      "the pager shows \(page.item.text) at \(page.index.map(String.init) ?? "no place") of \(letters)")
  }

  func lookAtRest() {
    expect(!isLoading && source.running == 0, "a load never ended")
    guard isSearch else { return }
    expect(query == typed, "\(query) is looked for, not \(typed)")
    expect(loads == 0 || newestQuery == typed, "\(newestQuery) was asked for, not \(typed)")
  }
}
