extension ObservableConvertible {
  /// Subscribes.
  ///
  /// - Parameters:
  ///   - onNext: takes each value.
  ///   - onError: takes the failure that ends the stream, if one does.
  ///   - onCompleted: is told that the stream ended well, if it does.
  /// - Returns: what ends the subscription. Letting it go does not; a ``DisposeBag`` does when it goes away.
  @inlinable
  public func subscribe(
    onNext: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil, onCompleted: (() -> Void)? = nil
  ) -> any Disposable {
    let lifetime = Lifetime()
    let onNext = onNext ?? { _ in }
    let sink = Sink<Element> { element in
      if lifetime.isActive {
        onNext(element)
      }
    } end: { failure in
      guard lifetime.isActive else { return }
      lifetime.end()
      if let failure {
        onError?(failure)
      } else {
        onCompleted?()
      }
      lifetime.dispose()
    }
    asObservable().run(sink, lifetime)
    return lifetime
  }

  /// Subscribes one closure to values and end alike.
  ///
  /// - Parameter onEvent: takes each event.
  /// - Returns: what ends the subscription. Letting it go does not; a ``DisposeBag`` does when it goes away.
  @inlinable
  public func subscribe(_ onEvent: @escaping (Event<Element>) -> Void) -> any Disposable {
    subscribe { element in
      onEvent(.next(element))
    } onError: { error in
      onEvent(.error(error))
    } onCompleted: {
      onEvent(.completed)
    }
  }
}
