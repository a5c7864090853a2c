extension Observable {
  /// A stream of one value.
  ///
  /// - Parameter element: the value.
  /// - Returns: the stream.
  @inlinable
  public static func just(_ element: Element) -> Observable {
    Observable(source: .just(element))
  }

  /// A stream that ends well at once.
  ///
  /// - Returns: the stream.
  @inlinable
  public static func empty() -> Observable {
    Observable(source: .empty)
  }

  /// A stream that says nothing, ever.
  ///
  /// - Returns: the stream.
  @inlinable
  public static func never() -> Observable {
    Observable(source: .never)
  }

  /// A stream that fails at once.
  ///
  /// - Parameter error: the failure.
  /// - Returns: the stream.
  @inlinable
  public static func error(_ error: any Error) -> Observable {
    Observable(source: .error(error))
  }

  /// A stream of the elements of a sequence, all emitted when somebody subscribes.
  ///
  /// - Parameter elements: the values. An endless sequence is read as long as somebody listens.
  /// - Returns: the stream.
  @inlinable
  public static func from<Elements: Sequence<Element>>(_ elements: Elements) -> Observable {
    Observable { sink, lifetime in
      for element in elements {
        sink.next(element)
        guard lifetime.isActive else { return }
      }
      sink.end(nil)
    }
  }

  /// A stream of the values given.
  ///
  /// - Parameter elements: the values, in order.
  /// - Returns: the stream.
  @inlinable
  public static func of(_ elements: Element...) -> Observable {
    from(elements)
  }

  /// A stream made anew for each subscriber.
  ///
  /// - Parameter make: makes the stream when somebody subscribes.
  /// - Returns: the stream.
  @inlinable
  public static func deferred(_ make: @escaping () -> Observable) -> Observable {
    Observable { sink, lifetime in
      make().run(sink, lifetime)
    }
  }
}
