package import Paging
package import Flow
package import ItemList
internal import RPC
package import WireJSON

/// Where a list's pages come from.
///
/// A load starts when somebody subscribes. It emits one page and completes, or fails with a `LoadFailure`; disposing of
/// the subscription cancels it.
/// ```swift
/// let mails = FileSource(path: "mails.jsonl", id: "id", on: clock).retrying(name: "mails", on: clock, seed: 1)
/// mails.load(PageRequest(size: 20)).subscribe(onNext: { page in show(page.items) }).disposed(by: bag)
/// ```
package protocol PageSource {
  /// Loads a page, and reports what there is to say before the page comes.
  func load(_ request: PageRequest, report: @escaping (RunReport) -> Void) -> Observable<Page<RawJSON>>

  /// Gives one whole item; nil if the source gives pages alone.
  func item(_ id: ItemID) -> Observable<RawJSON>?

  /// Makes an edit, and completes once the source has taken it; nil if it takes no such edits, as most sources don't.
  func write(_ edit: SourceEdit) -> Observable<Never>?

  /// Tells how the source changes: first that it will, and what has happened since a state, then what happens. Nil if it
  /// never tells, as most sources don't.
  func changes(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>>?

  /// What may keep a page from coming, as a clause for the failure of a load that took too long; nil where nothing is
  /// known of it.
  var trouble: String? { get }
}

extension PageSource {
  /// Loads a page for who wants to hear of nothing else.
  package func load(_ request: PageRequest) -> Observable<Page<RawJSON>> { load(request) { _ in } }

  /// Nil: there are pages alone.
  package func item(_ id: ItemID) -> Observable<RawJSON>? { nil }

  /// Nil: what is edited is the list's own.
  package func write(_ edit: SourceEdit) -> Observable<Never>? { nil }

  /// Nil: the list stands still.
  package func changes(_ request: WatchRequest) -> Observable<SourceChanges<RawJSON>>? { nil }

  /// Nothing is known.
  package var trouble: String? { nil }
}
