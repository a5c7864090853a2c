public import Nagare

/// Where a list's pages come from, and what may be written there.
public struct ListSource {
  /// Gives one page, or fails with a `LoadFailure`; dropped when the page is no longer wanted.
  public var load: (PageRequest) -> Observable<Page>
  /// Makes an edit in the source: completes when it has taken it, fails with a `LoadFailure` when it refuses. Nil if it
  /// takes no such edits: these are the list's own then.
  public var write: (SourceEdit) -> Observable<Never>?

  /// A source.
  ///
  /// - Parameters:
  ///   - load: gives one page.
  ///   - write: makes an edit in the source, if it takes any.
  public init(
    load: @escaping (PageRequest) -> Observable<Page>,
    write: @escaping (SourceEdit) -> Observable<Never>? = { _ in nil }
  ) {
    self.load = load
    self.write = write
  }

  /// What comes of a load: whatever the source does, one step.
  func outcome(of load: ListState.Load, _ pageSize: Int) -> Observable<ListState.Step> {
    self.load(load.request(size: pageSize))
      .take(1)
      .map { .loaded($0, by: load) }
      .ifEmpty(default: .failed(LoadFailure(.malformedResponse, "the source ended without a page"), of: load))
      .catch { .just(.failed(LoadFailure($0), of: load)) }
  }

  /// What comes of an edit: one step, too. The source goes on with it when the list is closed: it was made.
  func outcome(of edit: ListEdit) -> Observable<ListState.Step> {
    guard let writing = SourceEdit(edit).flatMap(write) else { return .just(.settled(edit)) }
    return .create { observer in
      _ = writing.subscribe { event in
        guard case .next = event else {
          observer.onNext(event.error.map { .refused(LoadFailure($0), edit) } ?? .settled(edit))
          return observer.onCompleted()
        }
      }
      return AnyDisposable.empty
    }
  }
}

extension SourceEdit {
  fileprivate init?(_ edit: ListEdit) {
    switch edit.change {
    case .insertion(let item, let next): self = .insert(item.json, before: next)
    case .replacement: return nil
    case .removal: self = .remove(edit.id)
    }
  }
}
