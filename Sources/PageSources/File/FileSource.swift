package import Flow
internal import ItemList
package import Paging
internal import RPC
package import WireJSON

/// Pages of a file: JSON Lines (an object a line) or one JSON array of objects, told apart by the first byte that isn't
/// white space.
///
/// The file is read a window at a time, so its size doesn't matter. A page's key is the number of items before it. The
/// items pass byte for byte; what is broken is left out and named in the page's failures with file, line and column.
/// If the id is the member "id" and the first record has none, each record without one is listed with its offset in the
/// file as its first member "id".
package final class FileSource {
  /// How much of a file is looked at together.
  package struct Limits: Sendable {
    /// How many bytes are read at once.
    package var window = 256 << 10
    /// The longest item in bytes; also how much of a page's items may be there for it to go on growing.
    package var item = 16 << 20
    /// How much work the loads of a source may do at one moment, all together, before others get their turn. A byte
    /// that is gone over is one, a byte that is searched four more, a broken item 64; bytes that come to stand in a page
    /// are free.
    package var turn = 1 << 20
    /// How much work a load may do before it first has to wait for its turn, however much others do at that moment.
    package var share = 64 << 10

    /// The usual limits.
    package init() {}
  }

  private let name: String
  private let id: String
  private let limits: Limits
  private let clock: any Scheduler
  private let file: FollowedFile
  private let isFollowed: Bool
  /// The file whose lines are gone over in the background.
  private weak var indexed: PagedFile?
  /// The loads that have to look far, in the order of their turns.
  private var waiting: ArraySlice<Waiting> = []
  /// How much work may still begin at the moment at which some last began.
  private var rest = (moment: Duration?.none, work: 0)

  /// A source that opens its file at the first load, and again at each first page. `keepsIndex` has the index of its
  /// lines kept beside it, in a file whose name ends with `.nagare-index`. `watch` begins to tell when something may
  /// have happened to the file, and whether it says so just because time has passed, until what it returns is let go;
  /// nil for a file that isn't followed.
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

  /// The source: it has positions, finds items, and reports changes if the file is followed.
  package var source: Source<RawJSON> {
    Source(
      name: name, SourceCapabilities(items: true, live: isFollowed, positions: true, around: true),
      load: { [self] in load($0, report: $1) }, loadItem: { [self] in item($0) }, write: { _ in .empty() },
      changes: { [file] in file.changes($0) })
  }

  /// Reads a page: at once, unless it has to look far. Once that has taken 50 ms it says how many bytes were gone over.
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

  /// Looks for an item: the first with its id.
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

  /// Goes over the lines to the end, in turns of its own: how many there are is an estimate until then.
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

  /// One turn after the other, and between them whatever else there is to do.
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

/// A load, and who waits for its page. Disposing of it calls it off.
private final class Waiting: Disposable {
  private var load: (any FileWork)?
  private var observer: Observer<Page<RawJSON>>?
  private let report: (RunReport) -> Void
  private let onPage: () -> Void
  /// When it first had to wait for its turn.
  var start = Duration.zero

  init(
    _ load: any FileWork, _ observer: Observer<Page<RawJSON>>, _ report: @escaping (RunReport) -> Void,
    onPage: @escaping () -> Void = {}
  ) {
    (self.load, self.observer, self.report, self.onPage) = (load, observer, report, onPage)
  }

  /// Says how far it has come, if it takes long.
  func tellProgress(at now: Duration) {
    if let load, now - start > .milliseconds(50) { report(.progress(load.progress)) }
  }

  /// Goes on, and tells what came of it. True if nothing is left to do.
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
  /// The page's one item, or the failure that there is none.
  func item(_ id: ItemID, of source: String) -> Observable<RawJSON> {
    items.isEmpty
      ? .error(LoadFailure(noItem: id, in: source))
      : .just(RawJSON(copying: ItemList.Item(items, at: 0).json))
  }
}
