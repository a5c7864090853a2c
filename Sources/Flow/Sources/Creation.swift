/// Functions that make streams: `Observable.just(1)`, or `.just(1)` as the argument of a stream parameter.
extension ObservableConvertible {
  /// A stream of one value.
  @inlinable
  public static func just<Value>(_ element: Value) -> Observable<Value> where Self == Observable<Value> {
    Observable(source: .just(element))
  }

  /// A stream that completes immediately.
  @inlinable
  public static func empty<Value>() -> Observable<Value> where Self == Observable<Value> {
    Observable(source: .empty)
  }

  /// A stream that never emits anything.
  @inlinable
  public static func never<Value>() -> Observable<Value> where Self == Observable<Value> {
    Observable(source: .never)
  }

  /// A stream that fails immediately.
  @inlinable
  public static func error<Value>(_ error: any Error) -> Observable<Value> where Self == Observable<Value> {
    Observable(source: .error(error))
  }

  /// A stream of the elements of a sequence. A subscriber receives all of them at the subscription. An endless sequence
  /// is read while the subscription lasts.
  @inlinable
  public static func from<Value>(_ elements: some Sequence<Value>) -> Observable<Value>
  where Self == Observable<Value> {
    Observable { sink, lifetime in
      for element in elements {
        sink.next(element)
        guard lifetime.isActive else { return }
      }
      sink.end(nil)
    }
  }

  /// A stream of the given values, in order.
  @inlinable
  public static func of<Value>(_ elements: Value...) -> Observable<Value> where Self == Observable<Value> {
    from(elements)
  }

  /// A stream that is made at each subscription, separately for each subscriber.
  @inlinable
  public static func deferred<Value>(
    _ make: @escaping () -> Observable<Value>
  ) -> Observable<Value> where Self == Observable<Value> {
    Observable { sink, lifetime in
      make().run(sink, lifetime)
    }
  }
}
