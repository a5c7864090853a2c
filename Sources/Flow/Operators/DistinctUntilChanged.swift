extension ObservableConvertible {
  /// Drops values that are the same as the previous one, by a function that compares two values.
  @inlinable
  public func distinctUntilChanged(by areSame: @escaping (Element, Element) -> Bool) -> Observable<Element> {
    eachValue { sink in
      let last = Box<Element?>(nil)
      return { element in
        if let last = last.value, areSame(last, element) { return }
        last.value = element
        sink.next(element)
      }
    }
  }

  /// Drops values that have the same key as the previous one. `key`, which may be a key path, is called once for each
  /// value.
  @inlinable
  public func distinctUntilChanged<Key: Equatable>(_ key: @escaping (Element) -> Key) -> Observable<Element> {
    eachValue { sink in
      let last = Box<Key?>(nil)
      return { element in
        let key = key(element)
        if key == last.value { return }
        last.value = key
        sink.next(element)
      }
    }
  }
}

extension ObservableConvertible where Element: Equatable {
  /// Drops values that are equal to the previous one.
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> { distinctUntilChanged(by: ==) }
}
