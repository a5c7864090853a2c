package import Flow
internal import ItemList
package import Paging
internal import RPC
package import WireJSON

/// A source of invented items, which are created when they are requested. A page's key is the number of items before
/// it. The key of a previous page is `{"before":N}`, where N is the number of items before the page that follows it.
package struct DemoSource {
  /// The maximum number of items that can be searched, filtered or sorted.
  package static let mostSearched = 10_000

  private let data: DemoData
  private let count: Int
  private let pause: Duration
  private let clock: any Scheduler

  /// Creates a source of invented items. Only the number of mails can be chosen. Each load takes `pause`, like a load
  /// over a network.
  package init(
    _ data: DemoData = .mails, count: Int? = nil, pause: Duration = .milliseconds(300), on clock: any Scheduler
  ) {
    self.data = data
    self.count = count ?? data.count
    self.pause = pause
    self.clock = clock
  }

  /// The source. It has positions, and can return a page around an item.
  package var source: Source<RawJSON> {
    Source(positions: true, around: true, page: load, item: item)
  }

  private func load(_ request: PageRequest) -> Observable<Page<RawJSON>> {
    .deferred { [self] in
      do throws(LoadFailure) {
        let (place, select) = (try PageOrigin(request, in: data.title), try selection(by: request.criteria))
        // The page is created after the pause, so that loads which begin together don't run as one long step.
        return Observable<Int>.timer(pause, on: clock).flatMap { _ in page(at: place, request.size, of: select) }
      } catch {
        return .error(error)
      }
    }
  }

  private func item(_ id: ItemID) -> Observable<RawJSON> {
    Observable<Int>.timer(pause, on: clock).flatMap { _ in
      number(of: id).map { .just(item($0)) } ?? .error(LoadFailure(noItem: id, in: data.title))
    }
  }

  /// Returns a closure that finds the numbers of the matching items, in the requested order. Nil if all items match in
  /// their own order.
  private func selection(by criteria: Criteria) throws(LoadFailure) -> (() -> [Int])? {
    if criteria.query == nil, criteria.filters == nil { return nil }
    let test = try ItemTest(criteria, in: data.title)
    if test.isEmpty, test.filter.order == nil { return nil }
    if count <= DemoSource.mostSearched { return { test.select(Array(0..<count), item) } }
    throw LoadFailure(
      code: RPCError.Code.invalidParams.rawValue,
      message: "\(data.title) can search \(DemoSource.mostSearched) items at most, and has \(count)")
  }

  private func page(at place: PageOrigin, _ size: Int, of select: (() -> [Int])?) -> Observable<Page<RawJSON>> {
    let found = select?()
    let count = found?.count ?? count
    let range: Range<Int>
    switch place {
    case .from(let start), .at(let start): range = min(start, count)..<count
    case .before(let end): range = max(0, min(end, count) - max(1, size))..<min(end, count)
    case .around(let id):
      guard let number = number(of: id), let place = found.map({ $0.firstIndex(of: number) }) ?? number else {
        return .error(LoadFailure(noItem: id, in: data.title))
      }
      range = max(0, place - size / 2)..<count
    }
    let part = range.prefix(max(1, size))
    let array = json { writer in
      writer.beginArray()
      for place in part { data.write(found?[place] ?? place, of: self.count, to: &writer) }
      writer.endArray()
    }
    var page = Page<RawJSON>(
      items: RawItems(arrayOf: array, id: "id") ?? RawItems(bytes: [], slices: []),
      next: part.endIndex < count ? part.endIndex.json : nil,
      previous: part.startIndex > 0 ? PageOrigin.before(part.startIndex).key : nil, total: count)
    page.position = part.startIndex
    return .just(page)
  }

  private func number(of id: ItemID) -> Int? {
    let known = data == .mails ? DemoMail.number(of: id).map { $0..<$0 + 1 } : 0..<count
    return known?.first { (0..<count).contains($0) && item($0).member("id").flatMap { ItemID($0) } == id }
  }

  private func item(_ number: Int) -> RawJSON { json { data.write(number, of: count, to: &$0) } }

  private func json(_ write: (inout JSONWriter) -> Void) -> RawJSON {
    var writer = JSONWriter()
    write(&writer)
    return RawJSON(trusting: writer.bytes)
  }
}
