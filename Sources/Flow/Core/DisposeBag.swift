/// Holds disposables and disposes of them all together, at the latest when it goes away.
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

  /// Takes a disposable in; a bag already disposed of disposes of it at once.
  public func insert(_ disposable: any Disposable) {
    if isDisposed {
      disposable.dispose()
    } else {
      contents.append(disposable)
    }
  }

  /// Disposes of the contents in the order in which they came, and of whatever is inserted later at once.
  public func dispose() {
    isDisposed = true
    let contents = self.contents
    self.contents = []
    for disposable in contents {
      disposable.dispose()
    }
  }
}
