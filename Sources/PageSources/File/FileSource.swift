package import Flow
internal import ItemList
package import Paging
internal import RPC
package import WireJSON

/// A source whose items are in a file: JSON Lines, with one object in each line, or one JSON array of objects. The
/// first byte that isn't white space shows which.
///
/// - The file is read window by window, so its size doesn't matter.
/// - A page's key is the number of items before it.
/// - Items are sent byte for byte.
/// - Broken items are left out. The page's failures name them with file, line and column.
/// - If the id is the field "id" and the first record has no such field, records without an id receive one: their
///   offset in the file, as their first field "id".
package final class FileSource {
  /// The limits of a file source.
  package struct Limits: Sendable {
    /// The size of a window in bytes.
    package var window = 256 << 10
    /// The maximum size of an item in bytes. A page with this many bytes receives no further items.
    package var item = 16 << 20
    /// The maximum work of all loads in one turn, before other work on the loop may run. Reading a byte is 1, searching
    /// it is 4 more, and a broken item is 64. Bytes of the page's items aren't counted.
    package var turn = 1 << 20
    /// The work that a new load may always do before it waits for its turn, even if other loads have used up the turn.
    package var share = 64 << 10

    /// The default limits.
    package init() {}
  }

  private let name: String
  private let id: String
  private let limits: Limits
  private let clock: any Scheduler
  private let file: FollowedFile
  private let isFollowed: Bool
  /// The file whose lines are being indexed in the background.
  private weak var indexed: PagedFile?
  /// The loads that need more than one turn, in the order of their turns.
  private var waiting: ArraySlice<Waiting> = []
  /// The work that is left at this moment for loads that begin.
  private var rest = (moment: Duration?.none, work: 0)

  /// Creates a source. The first load opens the file, and each load of a first page opens it again.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - name: the name of the file in messages; by default the path.
  ///   - id: the field that is the items' id.
  ///   - limits: the limits of windows, items and turns.
  ///   - keepsIndex: whether the index of lines is stored next to the file, with `.nagare-index` appended to its
  ///     name.
  ///   - clock: the clock that times the turns.
  ///   - watch: begins to watch the file. It calls its argument when the file may have changed; `isPoll` is whether
  ///     it does so only because time has passed. The watch ends when the returned object is released. Nil if the
  ///     file isn't followed.
  package init(
    path: String, name: String? = nil, id: String, limits: Limits = Limits(), keepsIndex: Bool = false,
    on clock: any Scheduler, watch: ((@escaping (_ isPoll: Bool) -> Void) -> AnyObject)? = nil
  ) {
    self.name = name ?? path
    self.id = id
    self.limits = limits
    self.clock = clock
    isFollowed = watch != nil
    file = FollowedFile(
      path: path, name: name ?? path, id: id, limits: limits, keepsIndex: keepsIndex, on: clock, watch: watch)
  }

  /// The source. It has positions, and can return a page around an item. It reports changes if the file is followed.
  package var source: Source<RawJSON> {
    Source(
      name: name, SourceCapabilities(items: true, live: isFollowed, positions: true, around: true),
      load: { [self] in load($0, report: $1) }, loadItem: { [self] in item($0) }, write: { _ in .empty() },
      changes: { [file] in file.changes($0) })
  }

  /// Loads a page, immediately unless that takes much work. After 50 ms it reports the number of bytes that were read.
  private func load(_ request: PageRequest, report: @escaping (RunReport) -> Void) -> Observable<Page<RawJSON>> {
    .create { [self] observer in
      do throws(LoadFailure) {
        let (place, test) = (try PageOrigin(request, in: name), try ItemTest(request.criteria, in: name))
        if test.filter.order != nil {
          throw LoadFailure(
            code: RPCError.Code.invalidParams.rawValue,
            message:
              "\(name) can't be sorted; leave \"sort\" out, or use a program as the source")
        }
        let file = try file.open(afresh: place == .from(0))
        guard case .from(let first) = place else {
          let jump = FileJump(request.size, test, at: place, of: file, id: id)
          return begin(Waiting(jump, observer, report) { [self] in index(file) })
        }
        let load = FileLoad(request.size, test, from: first, of: file, id: id)
        return begin(Waiting(load, observer, report))
      } catch {
        observer.onError(error)
        return AnyDisposable.empty
      }
    }.map { [isFollowed, file] page in
      var page = page
      if isFollowed { page.state = file.state }
      return page
    }
  }

  /// Looks up the first item with an id.
  private func item(_ id: ItemID) -> Observable<RawJSON> {
    Observable.create { [self] observer in
      do throws(LoadFailure) {
        let file = try file.open(afresh: true)
        return begin(Waiting(FileLookup(id, needsOrdinal: false, in: file, id: self.id), observer) { _ in })
      } catch {
        observer.onError(error)
        return AnyDisposable.empty
      }
    }.flatMap { [name] page in page.item(id, of: name) }
  }

  /// Indexes the lines to the end of the file, in the background. Until then the total is an estimate.
  private func index(_ file: PagedFile) {
    if file.layout != .lines || file.isIndexed || indexed === file { return }
    indexed = file
    scheduleIndexing()
  }

  private func scheduleIndexing() {
    _ = clock.schedule(after: .zero) { [weak self] in
      guard let self, let file = indexed else { return }
      var work = limits.turn
      if (try? file.indexLines(&work) { _ in false }) == false { scheduleIndexing() } else { indexed = nil }
    }
  }

  private func begin(_ load: Waiting) -> Waiting {
    let now = clock.now
    if rest.moment != now { rest = (now, limits.turn) }
    let allowed = max(rest.work, limits.share)
    var work = allowed
    let isDone = load.advance(&work)
    rest.work -= allowed - work
    if !isDone { wait(load) }
    return load
  }

  private func wait(_ load: Waiting) {
    waiting.append(load)
    load.start = clock.now
    if waiting.count == 1 { scheduleTurn() }
  }

  /// Schedules the next turn. Other work on the loop may run between two turns.
  private func scheduleTurn() {
    _ = clock.schedule(after: .zero) { [self] in
      var work = limits.turn
      while work > 0, let load = waiting.first {
        let isDone = load.advance(&work)
        waiting.removeFirst()
        if isDone { continue }
        load.tellProgress(at: clock.now)
        waiting.append(load)
      }
      if !waiting.isEmpty { scheduleTurn() }
    }
  }
}

/// A load and the observer of its page. Disposing of it cancels the load.
private final class Waiting: Disposable {
  private var load: (any FileWork)?
  private var observer: Observer<Page<RawJSON>>?
  private let report: (RunReport) -> Void
  private let onPage: () -> Void
  /// The time when the load first waited for its turn.
  var start = Duration.zero

  init(
    _ load: any FileWork, _ observer: Observer<Page<RawJSON>>, _ report: @escaping (RunReport) -> Void,
    onPage: @escaping () -> Void = {}
  ) {
    (self.load, self.observer, self.report, self.onPage) = (load, observer, report, onPage)
  }

  /// Reports progress if the load takes long.
  func tellProgress(at now: Duration) {
    if let load, now - start > .milliseconds(50) { report(.progress(load.progress)) }
  }

  /// Continues the load, and sends the result. Returns whether the load has ended.
  func advance(_ work: inout Int) -> Bool {
    guard let load, let observer else { return true }
    do throws(LoadFailure) {
      guard let page = try load.advance(&work) else { return false }
      dispose()
      onPage()
      observer.onNext(page)
      observer.onCompleted()
    } catch {
      dispose()
      observer.onError(error)
    }
    return true
  }

  func dispose() { (load, observer) = (nil, nil) }
}

extension Page<RawJSON> {
  /// Returns the page's only item, or the failure that there is none.
  func item(_ id: ItemID, of source: String) -> Observable<RawJSON> {
    items.isEmpty
      ? .error(LoadFailure(noItem: id, in: source))
      : .just(RawJSON(copying: ItemList.Item(items, at: 0).json))
  }
}
