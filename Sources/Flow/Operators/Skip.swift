extension ObservableConvertible {
  /// Leaves out the first values, so many of them.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    eachValue { sink in
      let left = Box(count)
      return { element in
        if left.value > 0 { left.value -= 1 } else { sink.next(element) }
      }
    }
  }

  /// Leaves out values as long as they satisfy a condition, which is not asked again after the first that does not.
  @inlinable
  public func skip(while condition: @escaping (Element) -> Bool) -> Observable<Element> {
    eachValue { sink in
      let isSkipping = Box(true)
      return { element in
        if isSkipping.value, condition(element) { return }
        isSkipping.value = false
        sink.next(element)
      }
    }
  }
}
