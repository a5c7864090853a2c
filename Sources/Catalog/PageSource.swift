public import Flow
public import RPC

/// Where a list's pages come from.
///
/// A load starts when somebody subscribes. It emits one page and completes, or fails with a `LoadFailure`; disposing of
/// the subscription cancels it.
/// ```swift
/// let mails = FileSource(path: "mails.jsonl", id: "id", on: clock).retrying(name: "mails", on: clock, seed: 1)
/// mails.load(PageRequest(size: 20)).subscribe(onNext: { page in show(page.items) }).disposed(by: bag)
/// ```
public protocol PageSource {
  /// Loads a page.
  ///
  /// - Parameter request: which page, of what, and how long.
  /// - Returns: the page, once somebody subscribes.
  func load(_ request: PageRequest) -> Observable<Page>
}
