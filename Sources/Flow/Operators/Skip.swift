extension ObservableConvertible {
  /// Drops the first `count` values.
  @inlinable
  public func skip(_ count: Int) -> Observable<Element> {
    eachValue { sink in
      let left = Box(count)
      return { element in
        if left.value > 0 { left.value -= 1 } else { sink.next(element) }
      }
    }
  }

  /// Drops values while they satisfy a condition. After the first value that doesn't, the condition isn't checked
  /// again.
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
