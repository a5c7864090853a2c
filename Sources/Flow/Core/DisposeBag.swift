/// Holds disposables, and disposes of all of them together. The bag's deallocation does it too.
///
/// ```swift
/// let bag = DisposeBag()
/// stream.subscribe(onNext: { print($0) }).disposed(by: bag)
/// ```
public final class DisposeBag: Disposable {
  private var contents: [any Disposable] = []
  private var isDisposed = false

  /// An empty bag.
  public init() {}

  deinit { dispose() }

  /// Adds a disposable. If the bag was disposed of before, the disposable is disposed of immediately.
  public func insert(_ disposable: any Disposable) {
    if isDisposed {
      disposable.dispose()
    } else {
      contents.append(disposable)
    }
  }

  /// Disposes of the contents in the order of insertion. Disposables inserted later are disposed of immediately.
  public func dispose() {
    isDisposed = true
    let contents = self.contents
    self.contents = []
    for disposable in contents {
      disposable.dispose()
    }
  }
}
