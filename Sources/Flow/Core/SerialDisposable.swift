/// Holds one disposable at a time: setting another disposes of the one before.
public final class SerialDisposable: Disposable {
  private var current: (any Disposable)?
  /// Whether ``dispose()`` was called.
  public private(set) var isDisposed = false

  /// Holds nothing yet.
  public init() {}

  /// The disposable held. Setting it disposes of the one before it, or of the new one at once if this was disposed of.
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

  /// Disposes of what is held, and of whatever is set later at once.
  public func dispose() {
    isDisposed = true
    let last = current
    current = nil
    last?.dispose()
  }
}
