extension ObservableConvertible {
  /// Leaves out values that are the same as the one before, as a function of the two says.
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

  /// Leaves out values that have the same key as the one before. The key is made once for each value; a key path does.
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
  /// Leaves out values that are equal to the one before.
  @inlinable
  public func distinctUntilChanged() -> Observable<Element> { distinctUntilChanged(by: ==) }
}
