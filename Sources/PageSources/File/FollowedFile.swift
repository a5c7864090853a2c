internal import Flow
internal import ItemList
internal import Paging
internal import Reactor
internal import WireJSON

/// The file at a path. While it is followed, it reports appended lines, and whether it was replaced or cut.
final class FollowedFile {
  /// The number of bytes before the known end that are compared, to find out whether a longer file is the same one.
  private static let tail = 1024

  private let path: String
  private let name: String
  private let id: String
  private let limits: FileSource.Limits
  private let keepsIndex: Bool
  private let watch: ((@escaping (_ isPoll: Bool) -> Void) -> AnyObject)?
  private let turn: ScheduledTimer
  private var file: PagedFile?
  /// The file's status when it was last checked.
  private var seen: FileStatus?
  /// How often a file was opened, and the last known bytes before its end.
  private var (number, known) = (0, [UInt8]())
  private var watches: [ItemWatch] = []
  private var watching: AnyObject?

  init(
    path: String, name: String, id: String, limits: FileSource.Limits, keepsIndex: Bool, on clock: any Scheduler,
    watch: ((@escaping (_ isPoll: Bool) -> Void) -> AnyObject)?
  ) {
    (self.path, self.name, self.id, self.limits, self.watch) = (path, name, id, limits, watch)
    self.keepsIndex = keepsIndex
    let goOn = Turn()
    turn = clock.timer { goOn.file?.look(isPoll: false) }
    goOn.file = self
  }

  /// A weak reference for the timer, which the file owns.
  private final class Turn { weak var file: FollowedFile? }

  /// The state of the content that is read now.
  var state: String { "\(number).\(file?.end ?? 0)" }

  /// Returns the open file:
  ///
  /// - while the file is followed, the one whose changes were reported;
  /// - for a first page, the file that the path names now;
  /// - for a later page, the file of the first page.
  func open(afresh: Bool) throws(LoadFailure) -> PagedFile {
    if let file, !watches.isEmpty { return file }
    if let file, !afresh {
      try file.noticeChanges()
      return file
    }
    let found = try opened()
    if let file, file.status == found.status { return file }
    try open(found)
    return found
  }

  private func opened() throws(LoadFailure) -> PagedFile {
    try PagedFile(
      path: path, name: name, limits: limits, isFollowed: watch != nil, keepsIndex: keepsIndex, givesIDs: id == "id")
  }

  private func open(_ found: PagedFile) throws(LoadFailure) {
    file = nil
    number += 1
    try found.start()
    try found.loadKeptIndex()
    (file, seen) = (found, found.status)
    known = watch == nil ? [] : try tail(of: found)
  }

  private func tail(of file: PagedFile) throws(LoadFailure) -> [UInt8] {
    file.end == .max ? [] : try file.bytes(in: max(0, file.end - FollowedFile.tail)..<file.end)
  }

  // MARK: - Watches

  /// Reports changes from now on. Past changes aren't stored, so a watch can only begin at the current state.
  func changes(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>> {
    .create { [self] observer in
      do throws(LoadFailure) {
        let watch = ItemWatch(try ItemTest(request.criteria, in: name), observer)
        if watches.isEmpty { begin() }
        guard request.state ?? state == state else {
          throw LoadFailure(.unknownState, "\(name) has changed since it was last read")
        }
        watches.append(watch)
        observer.onNext(SourceChanges(since: request.state, state: state))
        return AnyDisposable { [self] in end(watch) }
      } catch {
        if watches.isEmpty { watching = nil }
        observer.onError(error)
        return AnyDisposable.empty
      }
    }
  }

  private func begin() {
    watching = watch? { [weak self] isPoll in self?.look(isPoll: isPoll) }
    look(isPoll: true)
  }

  private func end(_ watch: ItemWatch) {
    watches.removeAll { $0 === watch }
    if watches.isEmpty { (watching, _) = (nil, turn.disarm()) }
  }

  private func say(_ changes: (ItemWatch) -> SourceChanges<RawJSON>) {
    for watch in watches { watch.observer.onNext(changes(watch)) }
  }

  private func sayEverything(since: String) {
    say { _ in .everything(since: since, state: state) }
  }

  // MARK: - Changes of the file

  /// Checks the file for changes. Handles as much as fits into one turn, and then schedules another. `isPoll` means
  /// that no write is known to be in progress.
  private func look(isPoll: Bool) {
    // A file that was removed may come back.
    guard let now = FileStatus(of: path), now.isRegularFile else { return }
    guard let file, let seen, now.isSameFile(as: seen), now.size >= seen.size else { return startAgain() }
    // While a file grows, its time changes before its size.
    if now.size == seen.size, now != seen { return isPoll ? startAgain() : () }
    do throws(LoadFailure) {
      guard try tail(of: file) == known, now == seen || file.layout == .lines && file.end > 3 else {
        return startAgain()
      }
      if file.end < now.size { try grow(file, to: now.size) }
      self.seen = now
    } catch {
      startAgain()
    }
  }

  /// Opens the new file, and reports that everything has changed.
  private func startAgain() {
    let since = state
    do throws(LoadFailure) {
      try open(try opened())
    } catch {
      // Loads report why the file can't be read. Watches needn't be notified again if it was unreadable before.
      if file == nil, since == state { return }
      file = nil
    }
    sayEverything(since: since)
  }

  /// Adds the appended lines of one turn. If there are too many, reports instead that everything has changed.
  private func grow(_ file: PagedFile, to size: Int) throws(LoadFailure) {
    let (since, start) = (state, file.end)
    let isTooMuch = size - start > limits.item
    // A list that hasn't reached the end of the file doesn't list lines after that end.
    guard let last = file.last, !isTooMuch else {
      guard let end = try file.lineEnd(in: max(start, size - limits.item)..<size) else { return }
      let wasAtEnd = file.last != nil
      file.last = nil
      file.grow(to: end)
      known = try tail(of: file)
      if wasAtEnd { return sayEverything(since: since) }
      return say { _ in SourceChanges(since: since, state: state) }
    }
    let most = min(size, start + limits.turn)
    var found = try file.lineEnd(in: start..<most)
    if found == nil { found = try file.lineEnd(in: most..<size) }
    guard let end = found else { return }
    file.grow(to: end)
    known = try tail(of: file)
    let load = FileLoad(.max, try ItemTest(Criteria(), in: name), from: last.ordinal, of: file, id: id)
    var (page, work) = (Page<RawJSON>?.none, Int.max)
    while page == nil { page = try load.advance(&work) }
    if end < size { turn.arm(after: .zero) }
    guard let page, page.next == nil else { return sayEverything(since: since) }
    say { watch in
      let items = page.items.slices.indices.map { ItemList.Item(page.items, at: $0) }
      let found = watch.test.isEmpty ? items : items.filter { watch.test.matches($0.json) }
      return SourceChanges(
        found.map { .insert($0, .end) }, since: since, state: state, total: watch.test.isEmpty ? file.total : nil,
        failures: page.failures)
    }
  }
}
