package import Paging
package import ItemList
package import Flow
internal import RPC
package import WireJSON

/// What the demo has, made up and the same in every run.
package enum DemoData: String, JSONStringEnum, Sendable {
  /// 320 mails, the newest first, each with `id`, `subject`, `sender`, `date` and `body`.
  case mails
  /// 180 articles for programmers, the newest first, each with `id`, `title`, `tags`, `user`, `likes_count` and
  /// `created_at`.
  case articles
  /// 40 places to eat, each with `id`, `name`, `genre`, `area`, `price`, `rating` and `note`.
  case shops
  /// 24 offers of a flea market, the newest first, each with `id`, `title`, `price`, `condition`, `seller`, `place` and
  /// `likes`.
  case offers

  /// How many there are by default.
  var count: Int {
    switch self {
    case .mails: DemoMail.count
    case .articles: DemoArticle.count
    case .shops: DemoShop.all.count
    case .offers: DemoOffer.all.count
    }
  }

  /// What messages call it.
  var title: String {
    switch self {
    case .mails: "the demo mailbox"
    case .articles: "the demo articles"
    case .shops: "the demo restaurant guide"
    case .offers: "the demo flea market"
    }
  }

  /// Writes the record at a place, from 0.
  func write(_ number: Int, of count: Int, to writer: inout JSONWriter) {
    switch self {
    case .mails: DemoMail(number: number, of: count).write(to: &writer)
    case .articles: DemoArticle(number: number).write(to: &writer)
    case .shops: DemoShop.all[number].write(number, to: &writer)
    case .offers: DemoOffer.all[number].write(number, to: &writer)
    }
  }
}

/// Items that need no file, made as they are asked for. A page's key is the number of items before it; that of a page
/// before another is `{"before":N}`, the number of items before that one.
package struct DemoSource: PageSource {
  /// How many items may be looked through for those with something in common.
  package static let mostSearched = 10_000

  private let data: DemoData
  private let count: Int
  private let pause: Duration
  private let clock: any Scheduler

  /// A source of made-up items, of mails as many as one likes. A load takes a pause, as if they came from afar.
  package init(
    _ data: DemoData = .mails, count: Int? = nil, pause: Duration = .milliseconds(300), on clock: any Scheduler
  ) {
    self.data = data
    self.count = count ?? data.count
    self.pause = pause
    self.clock = clock
  }

  package func load(_ request: PageRequest, report: (RunReport) -> Void) -> Observable<Page<RawJSON>> {
    .deferred { [self] in
      do throws(LoadFailure) {
        let (place, select) = (try PagePlace(request, in: data.title), try selection(by: request.criteria))
        // Made when its time has come, so that loads which begin together don't end up as one long step.
        return Observable<Int>.timer(pause, on: clock).flatMap { _ in page(at: place, request.size, of: select) }
      } catch {
        return .error(error)
      }
    }
  }

  package func item(_ id: ItemID) -> Observable<RawJSON>? {
    Observable<Int>.timer(pause, on: clock).flatMap { _ in
      number(of: id).map { .just(item($0)) } ?? .error(LoadFailure(noItem: id, in: data.title))
    }
  }

  /// Finds the numbers of the items that are asked for, in the order that is asked for; nil where all are, in their own.
  private func selection(by criteria: Criteria) throws(LoadFailure) -> (() -> [Int])? {
    if criteria.query == nil, criteria.filters == nil { return nil }
    let test = try ItemTest(criteria, in: data.title)
    if test.isEmpty, test.filter.order == nil { return nil }
    if count <= DemoSource.mostSearched { return { test.select(Array(0..<count), item) } }
    throw LoadFailure(
      code: RPCError.Code.invalidParams.rawValue,
      message: "\(data.title) looks through \(DemoSource.mostSearched) items at most, and has \(count) of them")
  }

  private func page(at place: PagePlace, _ size: Int, of select: (() -> [Int])?) -> Observable<Page<RawJSON>> {
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
      previous: part.startIndex > 0 ? PagePlace.before(part.startIndex).key : nil, total: count)
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

/// When the mails came: eight a day, between seven in the morning and eleven at night, back from 20 November 2026; those that
/// come in later on the days after it.
enum DemoTime {
  private static let perDay = 8
  private static let lastDay = (year: 2026, month: 11, day: 20)
  private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// The most mails that come eight a day: ten years of them.
  private static let most = 3650 * perDay

  /// When a mail came, as ISO 8601 has it, with the zone of Tokyo. More than come in ten years share these.
  static func text(number: Int, of count: Int = DemoMail.count) -> String {
    var random = DemoMail.random(number, 5)
    var (number, shift) = (number, Int.random(in: 0..<120, using: &random))
    if count > most {
      let (place, rest) = (number * most).quotientAndRemainder(dividingBy: count)
      (number, shift) = (place, 119 - rest * 120 / count)
    }
    let (year, month, day) = date(number: number)
    let slot = perDay - 1 - (number - daysAgo(number) * perDay)
    let minute = 7 * 60 + slot * 120 + shift
    return "\(year)-\(pad(month))-\(pad(day))T\(pad(minute / 60)):\(pad(minute % 60)):00+09:00"
  }

  /// The month before that of a mail, from 0 on.
  static func monthBefore(number: Int) -> Int { (date(number: number).month + 10) % 12 }

  private static func daysAgo(_ number: Int) -> Int { (number < 0 ? number - perDay + 1 : number) / perDay }

  private static func date(number: Int) -> (year: Int, month: Int, day: Int) {
    var (year, month, day) = (lastDay.year, lastDay.month, lastDay.day - daysAgo(number))
    while day < 1 {
      (year, month) = month > 1 ? (year, month - 1) : (year - 1, 12)
      day += monthLengths[month - 1]
    }
    while day > monthLengths[month - 1] {
      day -= monthLengths[month - 1]
      (year, month) = month < 12 ? (year, month + 1) : (year + 1, 1)
    }
    return (year, month, day)
  }

  private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
