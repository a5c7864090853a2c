package import Flow
internal import ItemList
package import Paging
internal import RPC
package import WireJSON

/// A source of invented mails that arrive, are read elsewhere and are removed. The changes and their times are the same
/// in every run. A page's key is a place between two mails.
package final class LiveDemoSource {
  /// The maximum number of simulated changes, so that moving a virtual clock far ahead ends.
  private static let mostChanges = 10_000

  private let pause: Duration
  private let clock: any Scheduler
  private lazy var mailbox = DemoMailbox()
  private var watches: [ItemWatch] = []
  private var changesLeft = LiveDemoSource.mostChanges
  /// Makes the next simulated change. It runs only while the source is watched.
  private lazy var timer = clock.timer { [unowned self] in happen() }

  /// Creates a mailbox, which starts to change when it is first watched. Each load and edit takes `pause`, like one
  /// over a network.
  package init(pause: Duration = .milliseconds(300), on clock: any Scheduler) {
    (self.pause, self.clock) = (pause, clock)
  }

  /// The source. It makes all kinds of edits, and reports changes.
  package var source: Source<RawJSON> {
    Source(
      writes: [.insert, .change, .remove, .marked], page: { [self] in load($0) }, item: { [self] in item($0) },
      write: { [self] in write($0) }, changes: { [self] in changes($0) })
  }

  /// Returns a page of the mails as they are at the end of the pause.
  private func load(_ request: PageRequest) -> Observable<Page<RawJSON>> {
    .deferred { [self] in
      do throws(LoadFailure) {
        let (test, key) = (try ItemTest(request.criteria, in: DemoData.mails.title), try Key(request.key))
        return after(pause).map { [self] in page(of: test, after: key, size: request.size) }
      } catch {
        return .error(error)
      }
    }
  }

  private func item(_ id: ItemID) -> Observable<RawJSON> {
    after(pause).flatMap { [self] () -> Observable<RawJSON> in
      if let row = mailbox.rows.first(where: { $0.id == id }) { return .just(row.item.json) }
      return .error(LoadFailure(noItem: id, in: DemoData.mails.title))
    }
  }

  private func write(_ edit: Edit<RawJSON>) -> Observable<Void> {
    after(pause).flatMap { [self] () -> Observable<Void> in
      do throws(LoadFailure) {
        for one in try mailbox.single(edit) {
          try change { mailbox throws(LoadFailure) in try mailbox.make(one) }
        }
        return .empty()
      } catch {
        return .error(error)
      }
    }
  }

  /// Reports changes. Past changes aren't stored, so a watch can only begin at the current state.
  private func changes(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>> {
    .create { [self] observer in
      do throws(LoadFailure) {
        let watch = ItemWatch(try ItemTest(request.criteria, in: DemoData.mails.title), observer)
        guard request.state ?? mailbox.state == mailbox.state else {
          throw LoadFailure(.unknownState, "\(DemoData.mails.title) doesn't keep old changes")
        }
        begin(watch)
        observer.onNext(SourceChanges(since: request.state, state: mailbox.state))
        return AnyDisposable { [self] in end(watch) }
      } catch {
        observer.onError(error)
        return AnyDisposable.empty
      }
    }
  }

  private func after(_ pause: Duration) -> Observable<Void> { Observable<Int>.timer(pause, on: clock).map { _ in } }

  // MARK: - Simulated changes

  private func begin(_ watch: ItemWatch) {
    watches.append(watch)
    guard !timer.isArmed, changesLeft > 0 else { return }
    timer.isInBackground = true
    timer.arm(after: mailbox.pause())
  }

  private func end(_ watch: ItemWatch) {
    watches.removeAll { $0 === watch }
    if watches.isEmpty { timer.disarm() }
  }

  private func happen() {
    changesLeft -= 1
    if changesLeft > 0 { timer.arm(after: mailbox.pause()) }
    change { $0.happen() }
  }

  /// Changes the mailbox, and reports the change to all watches.
  private func change<Failed: Error>(_ step: (inout DemoMailbox) throws(Failed) -> ItemID) throws(Failed) {
    let (before, since) = (mailbox.rows, mailbox.state)
    let id = try step(&mailbox)
    let (after, state) = (mailbox.rows, mailbox.state)
    for watch in watches {
      let (changes, total) = watch.test.changes(of: id, from: before, to: after)
      watch.observer.onNext(SourceChanges(changes, since: since, state: state, total: total))
    }
  }

  // MARK: - Pages

  /// The place of a page: after a mail, by its sort value and its rank.
  private struct Key {
    let rank: Int
    let value: RawJSON?

    /// The place after a mail.
    init(after row: DemoMailbox.Row, in order: RowOrder?) {
      (rank, value) = (row.rank, order?.value(in: row.item.json))
    }

    /// Reads a key; nil for the first page.
    init?(_ json: RawJSON?) throws(LoadFailure) {
      guard let json, !json.isNull else { return nil }
      let elements = Array(json.elements)
      guard elements.count == 2, let rank = elements[0].int else {
        throw LoadFailure(
          .malformedResponse, "\(DemoData.mails.title) has no page \(json.text); use a key that a page returned")
      }
      (self.rank, value) = (rank, elements[1])
    }

    var json: RawJSON { [rank.json, value ?? .null].json }

    func isBefore(_ row: DemoMailbox.Row, in order: RowOrder?) -> Bool {
      let comparison = order.map { $0.compare(value, $0.value(in: row.item.json)) } ?? 0
      return comparison < 0 || comparison == 0 && rank < row.rank
    }
  }

  private func page(of test: ItemTest, after key: Key?, size: Int) -> Page<RawJSON> {
    let (rows, order) = (test.select(mailbox.rows), test.filter.order)
    let start = key.map { key in rows.firstIndex { key.isBefore($0, in: order) } ?? rows.count } ?? 0
    let page = rows[start...].prefix(max(1, size))
    return Page(
      items: RawItems(arrayOf: page.map(\.item.json).json, id: "id") ?? RawItems(bytes: [], slices: []),
      next: page.endIndex < rows.count ? page.last.map { Key(after: $0, in: order).json } : nil,
      total: rows.count, state: mailbox.state)
  }
}
