/// Something that can be called off, such as a subscription.
public protocol Disposable: AnyObject {
  /// Calls it off. Calling it again does nothing.
  func dispose()
}

extension Disposable {
  /// Leaves the disposal to `bag`, which disposes of this when it is disposed of itself, or goes away.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Runs an action when disposed of, once.
public final class AnyDisposable: Disposable {
  private var action: (() -> Void)?

  /// Makes a disposable of an action, which runs at the first ``dispose()`` and is let go of then, or one that does
  /// nothing.
  public init(_ action: (() -> Void)? = nil) { self.action = action }

  /// Runs the action, the first time.
  public func dispose() {
    let action = self.action
    self.action = nil
    action?()
  }

  /// A disposable with nothing to do.
  public static var empty: AnyDisposable { AnyDisposable() }
}
