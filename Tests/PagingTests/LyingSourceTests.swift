import ItemList
import Nagare
import Randomness
import Testing
import WireJSON

@testable import Paging

/// Whatever a source sends, correct or not: a list has each item once, its client holds the same rows, and requests
/// end.
@Suite struct LyingSourceTests {
  @Test(arguments: 0..<8) func `a list stays consistent with a source that sends anything`(part: Int) {
    let count = 6 * LiveListTests.days
    for seed in part * count..<(part + 1) * count {
      var day = LyingDay(seed: seed)
      day.live(steps: 120)
      if let fault = day.fault { Issue.record("seed \(seed), \(day.about): \(fault) after \(day.history)") }
    }
  }

  @Test(arguments: [false, true]) func `pages without new items aren't requested endlessly`(isFollowed: Bool) throws {
    var list = Paged<RawJSON>(PagingOptions(pageSize: 2), margin: 1)
    if isFollowed { list.step { $0.follow() } }
    var asked: [String] = []
    func answer() {
      while case .one(let number) = list.wanted, asked.count < 50 {
        asked.append(list.request(number)?.key?.text ?? "-")
        let items = RawItems(arrayOf: json(#"[{"id":"a"},{"id":"b"}]"#), id: "id") ?? RawItems(bytes: [], slices: [])
        do { try list.receive(Page(items: items, next: json("1")), of: number) } catch {
          #expect("\(error)".contains("only items that are listed"))
          list.end(number, failure: nil)
        }
      }
    }
    list.first()
    answer()
    list.setViewport(0..<2)
    answer()
    #expect(asked == ["-", "1", "1", "1"])
    list.setViewport(0..<2)
    answer()
    #expect(asked.count == 7)
  }
}

/// Random events of a list whose source sends anything. Its pages have the wrong rows, too many rows or none, and any
/// key, position or state. Its changes are about items that it never sent.
private struct LyingDay {
  private static let pager = Pager()

  private final class Pager: Sendable {}

  private var list: Paged<RawJSON>
  private var random: SplitMix64
  private let hasPositions: Bool
  private var held: [String] = []
  private var said = ListSnapshot()
  private var answers: [Int] = []
  private var lastEdit = 0
  private(set) var history: [String] = []
  private(set) var fault: String?
  let about: String

  init(seed: Int) {
    random = SplitMix64(seed: seed)
    hasPositions = Bool.random(using: &random)
    let isOrdered = Bool.random(using: &random)
    let window = WindowSettings(
      margin: Int.random(in: 0...2, using: &random), mostItems: Int.random(in: 0...6, using: &random),
      hasPositions: hasPositions, findsItems: true)
    let onRefresh: OnRefresh = [.clear, .keep, .revalidate].randomElement(using: &random) ?? .keep
    let onArrival: OnArrival = [.show, .defer, .ask].randomElement(using: &random) ?? .show
    about = "\(isOrdered), \(window), \(onRefresh), \(onArrival)"
    list = Paged(
      PagingOptions(pageSize: 2, onRefresh: onRefresh, onArrival: onArrival, hasMarks: true), window: window,
      writes: Bool.random(using: &random) ? [.insert, .change, .remove, .marked] : [],
      order: isOrdered ? [RowOrder(by: "n"), RowOrder(by: "id")] : [])
    if Bool.random(using: &random) { list.step { $0.follow() } }
    said = list.shown
  }

  mutating func live(steps: Int) {
    list.first()
    for _ in 0..<steps where fault == nil {
      act()
      look()
    }
    rest()
  }

  // MARK: Random messages

  private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func letter() -> String { ["a", "b", "c", "d", "e", "f", "g", "h"][pick(8)] }

  private mutating func item() -> ItemList.Item {
    let text = json(#"{"id":"\#(letter())","v":\#(pick(100)),"n":\#(pick(12))}"#)
    return ItemList.Item(text, id: "id") ?? ItemList.Item(RawItems(bytes: [], slices: []), at: 0)
  }

  private mutating func state() -> String? { pick(4) == 0 ? nil : "\(pick(3))" }
  private mutating func key() -> RawJSON? { pick(4) == 0 ? nil : json("\(pick(6))") }
  private mutating func number(_ most: Int) -> Int? { pick(4) == 0 ? nil : pick(most) }

  private mutating func page(for request: PageRequest) -> Page<RawJSON> {
    var rows = (0..<pick(5)).map { _ in item() }
    if let id = request.around, pick(4) > 0,
      let row = ItemList.Item(json(#"{"id":\#(id.raw.text),"v":0,"n":1}"#), id: "id")
    {
      rows.append(row)
    }
    let text = rows.map(\.json.text).joined(separator: ",")
    var page = Page<RawJSON>(
      items: RawItems(arrayOf: json("[\(text)]"), id: "id") ?? RawItems(bytes: [], slices: []), next: key(),
      previous: key(), total: number(14), state: state())
    page.position = pick(5) == 0 ? number(14) : request.position ?? number(14)
    page.isTotalExact = pick(3) > 0
    return page
  }

  private mutating func change() -> SourceChanges<RawJSON>.Change {
    let places: [RowPlace] = [
      .ordered, .ordered, .end, .before(ItemID(letter())), .after(ItemID(letter())),
    ]
    switch pick(4) {
    case 0: return .change(item())
    case 1: return .remove(ItemID(letter())).at(number(14))
    default: return .insert(item(), places[pick(5)]).at(number(14))
    }
  }

  private mutating func changes() -> SourceChanges<RawJSON> {
    if pick(12) == 0 { return .everything(since: state(), state: state(), total: number(14)) }
    return SourceChanges((0..<pick(4)).map { _ in change() }, since: state(), state: state(), total: number(14))
  }

  // MARK: Events

  private mutating func act() {
    switch pick(22) {
    case 0..<5: answer()
    case 5..<8:
      let changes = changes()
      history.append(
        "hear \(changes.isEverything ? "all" : "\(changes.rows.map(text(of:)))") \(changes.since ?? "-")>\(changes.state ?? "-") of \(changes.total ?? -1)"
      )
      try? list.receive(changes)
    case 8:
      let code = [LoadFailure.Code.unknownState, .unreachable, .timeout][pick(3)]
      history.append("stop \(code)")
      do { try list.endFollowing(LoadFailure(code, "", isRetryable: true)) } catch {
        list.record(Failure(error, trigger: "changed", number: history.count))
      }
    case 9..<12:
      let row = pick(16)
      history.append("see \(row)")
      list.setViewport(row..<row + 1 + pick(3))
    case 12:
      let row = pick(16)
      history.append("jump \(row)")
      _ = list.jump(to: row)
    case 13:
      let id = letter()
      history.append("around \(id)")
      _ = list.jump(to: ItemID(id))
    case 14:
      history.append("rest")
      list.pace.cancel()
      list.endPause()
      list.rest.cancel()
      list.endRest()
    case 15:
      history.append("first")
      list.load(.refresh)
    case 16:
      let trigger = [LoadTrigger.reachBottom, .reachTop, .retry][pick(3)]
      history.append("\(trigger)")
      list.load(trigger)
    case 17: edit()
    case 18: mark()
    case 19:
      let text = ["", "x", "y"][pick(3)]
      history.append("search \(text)")
      list.search(text, ifLoaded: pick(4) == 0)
    case 20:
      let (id, distance) = (letter(), pick(3) - 1)
      history.append("swipe \(id) \(distance)")
      list.show(pick(3) == 0 ? nil : ShownRow(ItemID(id), distance: distance), for: Self.pager)
    default:
      history.append("show")
      list.showArrivals()
    }
  }

  private mutating func answer() {
    guard case .one(let number) = list.wanted, let request = list.request(number) else { return }
    if pick(8) == 0 {
      history.append("fail")
      return list.end(number, failure: pick(2) == 0 ? nil : Failure(LoadFailure(.unreachable, ""), trigger: "x"))
    }
    let page = page(for: request)
    history.append(
      "\(request.key?.text ?? "-")@\(request.position ?? -1) around \(request.around?.raw.text ?? "-"): \(text(of: page))"
    )
    do { try list.receive(page, of: number) } catch {
      // In an app, the code that receives the page ends the load that failed.
      if case .one(number) = list.wanted { list.end(number, failure: nil) }
    }
  }

  private func text(of page: Page<RawJSON>) -> String {
    let rows = (0..<page.items.count).map { ItemList.Item(page.items, at: $0).json.text }
    return
      "\(rows) at \(page.position ?? -1) of \(page.isTotalExact ? "" : "~")\(page.total ?? -1), \(page.previous?.text ?? "-")<>\(page.next?.text ?? "-"), state \(page.state ?? "-")"
  }

  private func text(of change: RowChange) -> String {
    switch change {
    case .insert(let item, let place, let position): "insert \(item.json.text) \(place) at \(position ?? -1)"
    case .change(let item): "change \(item.json.text)"
    case .remove(let id, let position): "remove \(id.raw.text) at \(position ?? -1)"
    }
  }

  private mutating func edit() {
    if let next = list.edits.wantedNumber(after: lastEdit), pick(2) == 0 {
      lastEdit = next
      let isMade = Bool.random(using: &random)
      history.append("answer \(isMade)")
      return isMade ? list.edits.receiveMade(lastEdit) : list.edits.end(lastEdit, failure: nil)
    }
    let item = item()
    switch pick(3) {
    case 0:
      let next = letter()
      history.append("insert \(item.json.text) before \(next)")
      list.insert(item, before: ItemID(next))
    case 1:
      history.append("update \(item.json.text)")
      list.update(item)
    default:
      history.append("remove \(item.itemID.raw.text)")
      list.remove(item.itemID)
    }
  }

  private mutating func mark() {
    let id = letter()
    switch pick(5) {
    case 0:
      history.append("all")
      try? list.mark(Marking(all: true))
    case 1:
      history.append("unmark \(id)")
      try? list.unmark(Marking(id: ItemID(id)))
    case 2:
      history.append("removeMarked")
      try? list.removeMarked()
    case 3:
      history.append("changeMarked")
      try? list.changeMarked(json(#"{"v":7}"#))
    default:
      history.append("mark \(id)")
      try? list.mark(Marking(id: ItemID(id)))
    }
  }

  // MARK: Checks

  private mutating func look() {
    let ids = list.items.map(\.itemID)
    if Set(ids).count != ids.count { fail("an id is listed twice: \(ids)") }
    let new = list.shown
    guard texts(of: new).count == new.count else { return fail("\(texts(of: new)) are \(new.count) rows") }
    for splice in ListSnapshot.splices(from: said, to: new) {
      let range = splice.start..<splice.start + splice.deleteCount
      guard range.upperBound <= held.count else { return fail("\(splice) goes beyond \(held)") }
      held.replaceSubrange(range, with: texts(of: new)[splice.items])
    }
    said = new
    if held != texts(of: new) { fail("the client holds \(held) in place of \(texts(of: new))") }
    if let window = new.window, !(0..<new.list.count + 1).contains(window.upperBound) {
      fail("\(window) is held of \(new.list.count) rows")
    }
    if let count = list.marks.count, count < 0 || count > list.count + list.marks.ids.count { fail("\(list.marks)") }
    lookAtPages()
  }

  private mutating func lookAtPages() {
    let rows = list.core.value.rows.shown
    guard let kept = rows.pageTable else { return }
    if kept.ranges.last?.upperBound ?? 0 != rows.all.count {
      return fail("\(kept.ranges) are pages of \(rows.all.count) rows")
    }
    for (page, range) in zip(kept.pages, kept.ranges) {
      let unloaded = rows.all.unloaded(in: range).reduce(0) { $0 + $1.count }
      if unloaded != (page.isLoaded ? 0 : page.count) { return fail("\(unloaded) rows of \(page) aren't loaded") }
    }
  }

  private func texts(of listed: ListSnapshot) -> [String] {
    listed.list.runs(in: listed.window ?? 0..<listed.list.count).flatMap { run -> [String] in
      switch run {
      case .rows(let rows): listed.rows.items(in: rows).map(\.json.text)
      case .unloaded(let count): Array(repeating: "-", count: count)
      }
    }
  }

  /// Checks that requests end while nothing else happens, whatever the answers are.
  private mutating func rest() {
    var loads = 0
    while case .one = list.wanted, fault == nil {
      answer()
      look()
      loads += 1
      if loads == 1000 { fail("it asks for ever") }
    }
  }

  private mutating func fail(_ fault: String) { self.fault = self.fault ?? fault }
}
