public import Nagare

/// Where a list's pages come from, and what may be written there.
public struct ListSource {
  /// Gives one page, or fails with a `LoadFailure`; dropped when the page is no longer wanted. Calls the function to say how
  /// far it has come, and just before it asks for the page once more, which then knows of all edits made by that time.
  public var load: (PageRequest, _ report: @escaping (RunReport) -> Void) -> Observable<Page<RawJSON>>
  /// Gives one whole item by its id, or fails with a `LoadFailure`; nil where there is nothing but pages.
  public var item: ((ItemID) -> Observable<RawJSON>)?
  /// The edits that the source makes; others are the list's own.
  public var writes: Set<SourceEdit.Kind>
  /// Makes an edit in the source: completes when it has taken it, fails with a `LoadFailure` when it refuses.
  public var write: (SourceEdit) -> Observable<Void>
  /// Tells how the source changes: first that it will, and what has happened since a state, then what happens. Nil where
  /// it never tells.
  public var changes: ((WatchRequest) -> Observable<SourceChanges<RawJSON>>)?
  /// By what its items are in order; empty where it says a place for each.
  public var order: [RowOrder] = []
  /// Whether a page can be asked for by the position of its first item.
  public var hasPositions = false
  /// Whether a page can be asked for by an item that it is to hold.
  public var findsItems = false

  /// A source that makes no edits.
  public init(load: @escaping (PageRequest) -> Observable<Page<RawJSON>>) {
    self.init(load: load, writes: []) { _ in .never() }
  }

  /// A source that makes edits.
  public init(
    load: @escaping (PageRequest) -> Observable<Page<RawJSON>>,
    writes: Set<SourceEdit.Kind> = [.insert, .change, .remove],
    write: @escaping (SourceEdit) -> Observable<Void>
  ) {
    self.init(load: { request, _ in load(request) }, writes: writes, write: write)
  }

  /// A source that makes edits, says how far a page has come, and may ask for it once more after a failure.
  public init(
    load: @escaping (PageRequest, _ report: @escaping (RunReport) -> Void) -> Observable<Page<RawJSON>>,
    writes: Set<SourceEdit.Kind> = [.insert, .change, .remove], write: @escaping (SourceEdit) -> Observable<Void>
  ) {
    self.load = load
    self.writes = writes
    self.write = write
  }
}
