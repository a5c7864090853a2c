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

  /// Writes a record.
  ///
  /// - Parameters:
  ///   - number: its place from 0.
  ///   - writer: takes an object.
  func write(_ number: Int, to writer: inout JSONWriter) {
    switch self {
    case .mails: DemoMail(number: number).write(to: &writer)
    case .articles: DemoArticle(number: number).write(to: &writer)
    case .shops: DemoShop.all[number].write(number, to: &writer)
    case .offers: DemoOffer.all[number].write(number, to: &writer)
    }
  }
}

/// Items that need no file, made as they are asked for. A page's key is the number of items before it.
package struct DemoSource: PageSource {
  private let data: DemoData
  private let pause: Duration
  private let clock: any Scheduler

  /// A source of made-up items.
  ///
  /// - Parameters:
  ///   - data: which; the mails where nothing is said.
  ///   - pause: how long a load takes, as if the items came from afar; 300 ms where nothing is said.
  ///   - clock: whose time it is.
  package init(_ data: DemoData = .mails, pause: Duration = .milliseconds(300), on clock: any Scheduler) {
    self.data = data
    self.pause = pause
    self.clock = clock
  }

  /// Makes the items of a page.
  ///
  /// - Parameter request: which page, of what, and how long.
  /// - Returns: the page, after a while.
  package func load(_ request: PageRequest) -> Observable<Page<RawJSON>> {
    .deferred { [self] in
      do throws(LoadFailure) {
        let (start, test) = (try request.ordinal(in: data.title), try ItemTest(request.criteria, in: data.title))
        // Made when its time has come, so that loads which begin together don't end up as one long step.
        return Observable<Int>.timer(pause, on: clock).map { _ in page(request, of: test, from: start) }
      } catch {
        return .error(error)
      }
    }
  }

  /// Looks for an item.
  ///
  /// - Parameter id: the item's id.
  /// - Returns: the item, after a while.
  package func item(_ id: ItemID) -> Observable<RawJSON>? {
    let test = ItemTest(id: id.raw, of: "id")
    return Observable<Int>.timer(pause, on: clock).flatMap { _ in
      page(PageRequest(size: 1), of: test, from: 0).item(id, of: data.title)
    }
  }

  private func page(_ request: PageRequest, of test: ItemTest, from start: Int) -> Page<RawJSON> {
    func item(_ number: Int) -> RawJSON { json { data.write(number, to: &$0) } }
    var numbers = Array(0..<data.count)
    if !test.isEmpty { numbers = numbers.filter { test.matches(item($0)) } }
    if let order = test.filter.order { numbers = order.sorted(numbers, item) }
    let end = start + min(max(1, request.size), max(0, numbers.count - start))
    let array = json { writer in
      writer.beginArray()
      for place in start..<end { data.write(numbers[place], to: &writer) }
      writer.endArray()
    }
    return Page(
      items: RawItems(arrayOf: array, id: "id") ?? RawItems(bytes: [], slices: []),
      next: end < numbers.count ? RawJSON(end) : nil, total: numbers.count)
  }

  private func json(_ write: (inout JSONWriter) -> Void) -> RawJSON {
    var writer = JSONWriter()
    write(&writer)
    return RawJSON(trusting: writer.bytes, 0..<writer.bytes.count)
  }
}

/// When the mails came: eight a day, between seven in the morning and eleven at night, back from 20 November 2026; those that
/// come in later on the days after it.
enum DemoTime {
  private static let perDay = 8
  private static let lastDay = (year: 2026, month: 11, day: 20)
  private static let monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

  /// When a mail came, as ISO 8601 has it.
  static func text(number: Int) -> String {
    var random = DemoMail.random(number, 5)
    let (year, month, day) = date(number: number)
    let slot = perDay - 1 - (number - daysAgo(number) * perDay)
    let minute = 7 * 60 + slot * 120 + Int.random(in: 0..<120, using: &random)
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
