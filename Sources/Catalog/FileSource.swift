public import Flow
public import RPC

/// Pages of a file: JSON Lines (an object a line) or one JSON array of objects, told apart by the first byte that isn't
/// white space.
///
/// The file is read a window at a time, so its size doesn't matter. A page's key is the number of items before it. The
/// items pass byte for byte; what is broken is left out and named in the page's faults with file, line and column.
public final class FileSource: PageSource {
  /// How much of a file is looked at together.
  public struct Limits: Sendable {
    /// How many bytes are read at once.
    public var window = 256 << 10
    /// The longest item in bytes; also how much of a page's items may be there for it to go on growing.
    public var item = 16 << 20
    /// How many bytes are gone over before others get their turn, when a load has to look far.
    public var turn = 8 << 20
    /// The same for a query, which takes longer a byte.
    public var queryTurn = 1 << 20

    /// The usual limits.
    public init() {}
  }

  private let path: String
  private let name: String
  private let id: String
  private let limits: Limits
  private let clock: any Scheduler
  private var file: PagedFile?

  /// A source that opens its file at the first load, and again at each first page.
  ///
  /// - Parameters:
  ///   - path: where the file is, as the system spells it.
  ///   - name: what messages call it; the path where nothing is said.
  ///   - id: the member of an item that is its id.
  ///   - limits: how much of it is looked at together.
  ///   - clock: what gives others their turn while a load has to look far.
  public init(
    path: String, name: String? = nil, id: String, limits: Limits = Limits(), on clock: any Scheduler
  ) {
    self.path = path
    self.name = name ?? path
    self.id = id
    self.limits = limits
    self.clock = clock
  }

  /// Reads a page: at once, unless it has to look far.
  ///
  /// - Parameter request: which page, of what, and how long.
  /// - Returns: the page.
  public func load(_ request: PageRequest) -> Observable<Page> {
    .create { [self] observer in
      let turn = SerialDisposable()
      do throws(LoadFailure) {
        let first = try request.ordinal(in: name)
        let file = try open(afresh: first == 0)
        proceed(FileLoad(request, from: first, of: file, id: id), observer, turn)
      } catch {
        observer.onError(error)
      }
      return turn
    }
  }

  private func proceed(_ load: FileLoad, _ observer: Observer<Page>, _ turn: SerialDisposable) {
    do throws(LoadFailure) {
      if let page = try load.takeTurn() {
        observer.onNext(page)
        observer.onCompleted()
      } else {
        turn.disposable = clock.schedule(after: .zero) { [self] in proceed(load, observer, turn) }
      }
    } catch {
      observer.onError(error)
    }
  }

  /// The file as it is now. A first page looks anew what the path names; later ones stay with what the first one found.
  private func open(afresh: Bool) throws(LoadFailure) -> PagedFile {
    if let file, !afresh {
      try file.noticeChanges()
      return file
    }
    let found = try PagedFile(path: path, name: name, limits: limits)
    if let file, file.status == found.status { return file }
    try found.start()
    file = found
    return found
  }
}
