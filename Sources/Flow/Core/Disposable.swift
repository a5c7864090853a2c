/// Something that can be cancelled, such as a subscription.
public protocol Disposable: AnyObject {
  /// Cancels it. Further calls do nothing.
  func dispose()
}

extension Disposable {
  /// Adds this to `bag`, which disposes of it when the bag itself is disposed of or deallocated.
  public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

/// Runs an action once, when it is disposed of.
public final class AnyDisposable: Disposable {
  private var action: (() -> Void)?

  /// Makes a disposable that runs an action at the first ``dispose()`` and then releases it. Without an action it does
  /// nothing.
  public init(_ action: (() -> Void)? = nil) { self.action = action }

  /// Runs the action at the first call.
  public func dispose() {
    let action = self.action
    self.action = nil
    action?()
  }

  /// A disposable that does nothing.
  public static var empty: AnyDisposable { AnyDisposable() }
}
