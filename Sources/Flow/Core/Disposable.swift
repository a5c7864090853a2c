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
