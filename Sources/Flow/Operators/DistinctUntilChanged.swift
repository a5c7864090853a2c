extension ObservableConvertible {
  /// Leaves out values that are the same as the one before.
  ///
  /// - Parameter areSame: whether two values that follow each other are the same.
  /// - Returns: the stream of changes.
  @inlinable
  public func distinctUntilChanged(by areSame: @escaping (Element, Element) -> Bool) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let last = Box<Element?>(nil)
      source.run(
        Sink { element in
          if let last = last.value, areSame(last, element) { return }
          last.value = element
          sink.next(element)
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }

  /// Leaves out values that have the same key as the one before.
  ///
  /// - Parameter key: makes what is compared of a value, once for each; a key path does.
  /// - Returns: the stream of changes.
  @inlinable
  public func distinctUntilChanged<Key: Equatable>(_ key: @escaping (Element) -> Key) -> Observable<Element> {
    let source = asObservable()
    return Observable { sink, lifetime in
      let last = Box<Key?>(nil)
      source.run(
        Sink { element in
          let key = key(element)
          if key == last.value { return }
          last.value = key
          sink.next(element)
        } end: {
          sink.end($0)
        }, lifetime)
    }
  }
}

extension ObservableConvertible where Element: Equatable {
  /// Leaves out values that are equal to the one before.
  ///
  /// - Returns: the stream of changes.
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> {
    distinctUntilChanged(by: ==)
  }
}
