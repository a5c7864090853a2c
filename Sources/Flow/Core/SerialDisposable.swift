/// Holds one disposable at a time. Setting another one disposes of the previous one.
public final class SerialDisposable: Disposable {
  private var current: (any Disposable)?
  /// Whether ``dispose()`` was called.
  public private(set) var isDisposed = false

  /// Makes an empty one.
  public init() {}

  /// The current disposable. Setting it disposes of the previous one. If this was disposed of, it disposes of the new
  /// one immediately.
  public var disposable: (any Disposable)? {
    get { current }
    set {
      if isDisposed {
        newValue?.dispose()
      } else {
        let before = current
        current = newValue
        before?.dispose()
      }
    }
  }

  /// Disposes of the current disposable. Disposables set later are disposed of immediately.
  public func dispose() {
    isDisposed = true
    let last = current
    current = nil
    last?.dispose()
  }
}
