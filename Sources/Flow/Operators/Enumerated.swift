extension ObservableConvertible {
  /// Adds to each value its index, which starts at 0 for each subscriber.
  @inlinable
  public func enumerated() -> Observable<(index: Int, element: Element)> {
    eachValue { sink in
      let count = Box(0)
      return { element in
        count.value += 1
        sink.next((count.value - 1, element))
      }
    }
  }
}
