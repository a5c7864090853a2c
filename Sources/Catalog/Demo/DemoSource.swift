public import Flow
public import RPC
internal import WireJSON

/// A mailbox that needs no file: 320 made-up mails, the same in every run, made as they are asked for.
///
/// A mail has `id`, `subject`, `sender`, `date` and `body`; the newest comes first. A page's key is the number of mails
/// before it.
public struct DemoSource: PageSource {
  private let pause: Duration
  private let clock: any Scheduler

  /// The mailbox.
  ///
  /// - Parameters:
  ///   - pause: how long a load takes, as if the mails came from afar; 300 ms where nothing is said.
  ///   - clock: whose time it is.
  public init(pause: Duration = .milliseconds(300), on clock: any Scheduler) {
    self.pause = pause
    self.clock = clock
  }

  /// Makes the mails of a page.
  ///
  /// - Parameter request: which page, of what, and how long.
  /// - Returns: the page, after a while.
  public func load(_ request: PageRequest) -> Observable<Page> {
    .deferred { [pause, clock] in
      do throws(LoadFailure) {
        let page = DemoSource.page(request, from: try request.ordinal(in: "the demo mailbox"))
        return Observable.just(page).delay(pause, on: clock)
      } catch {
        return .error(error)
      }
    }
  }

  private static func page(_ request: PageRequest, from start: Int) -> Page {
    var numbers = Array(0..<DemoMail.count)
    if let query = TextQuery(request.query) {
      numbers = numbers.filter { query.matches(RawJSON(DemoMail(number: $0))) }
    }
    let end = start + min(max(1, request.size), max(0, numbers.count - start))
    var writer = JSONWriter()
    writer.beginArray()
    for place in start..<end { DemoMail(number: numbers[place]).write(to: &writer) }
    writer.endArray()
    let items = RawItems(arrayOf: RawJSON(trusting: writer.bytes, 0..<writer.bytes.count), id: "id")
    return Page(
      items: items ?? RawItems(bytes: [], slices: []), next: end < numbers.count ? RawJSON(end) : nil,
      total: numbers.count)
  }
}

extension RawJSON {
  /// A mail as its JSON text.
  fileprivate init(_ mail: DemoMail) {
    var writer = JSONWriter()
    mail.write(to: &writer)
    self.init(trusting: writer.bytes, 0..<writer.bytes.count)
  }
}
