public import Nagare

/// Where a list's pages come from, and what may be written there.
public struct ListSource {
  /// Gives one page, or fails with a `LoadFailure`; dropped when the page is no longer wanted. Where it asks for the page
  /// once more after a failure, it calls the function just before that: such a page knows of all edits taken by then.
  public var load: (PageRequest, _ onRetry: @escaping () -> Void) -> Observable<Page>
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
    self.init(loadWithRetries: { request, _ in load(request) }, write: write)
  }

  /// A source that asks for a page once more after a failure.
  ///
  /// - Parameters:
  ///   - load: gives one page, and calls the function just before it asks for it once more.
  ///   - write: makes an edit in the source, if it takes any.
  public init(
    loadWithRetries load: @escaping (PageRequest, _ onRetry: @escaping () -> Void) -> Observable<Page>,
    write: @escaping (SourceEdit) -> Observable<Never>?
  ) {
    self.load = load
    self.write = write
  }

  /// What comes of a load: a step for each time that the page is asked for once more, and then, whatever the source does,
  /// one.
  func outcome(of load: ListState.Load, _ pageSize: Int) -> Observable<ListState.Step> {
    .create { observer in
      self.load(load.request(size: pageSize)) { observer.onNext(.askedAgain(by: load)) }
        .take(1)
        .map { ListState.Step.loaded($0, by: load) }
        .ifEmpty(default: .failed(LoadFailure(.nonsense, "the source ended without a page"), of: load))
        .catch { .just(.failed(LoadFailure($0), of: load)) }
        .subscribe { observer.on($0) }
    }
  }

  /// What comes of an edit: one step, too. The source goes on with it when the list is closed: it was made.
  func outcome(of edit: ListEdit) -> Observable<ListState.Step> {
    guard let writing = SourceEdit(edit).flatMap(write) else { return .just(.settled(edit)) }
    return .create { observer in
      // What waits for the answer lets go of the list when that is closed, and of all that is listed.
      let listener = Listener(observer)
      _ = writing.subscribe { event in
        if case .next = event { return }
        listener.observer?.onNext(event.error.map { .refused(LoadFailure($0), edit) } ?? .settled(edit))
        listener.observer?.onCompleted()
      }
      return AnyDisposable { listener.observer = nil }
    }
  }
}

/// Who hears of an answer, as long as anybody does.
private final class Listener {
  var observer: Observer<ListState.Step>?

  init(_ observer: Observer<ListState.Step>) { self.observer = observer }
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
