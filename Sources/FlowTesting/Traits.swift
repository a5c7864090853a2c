public import Flow

extension Driver {
  /// The current value, and then each value that differs from the previous one.
  ///
  /// A driver of a list may emit a list with the same items again, because it compares versions, which is faster. The
  /// service sends nothing then, so recordings omit this value, too.
  package var distinctValues: Observable<Value> {
    asObservable().distinctUntilChanged { old, new in (old as? any Versioned)?.equals(new) == true }
  }
}

extension Versioned {
  fileprivate func equals(_ other: Any) -> Bool { self == other as? Self }
}

extension Marbles {
  /// Subscribes to a driver and records its values, until the recording is disposed of or deallocated. `mark` draws
  /// each value as a character.
  public func record<Value>(_ driver: Driver<Value>, by mark: @escaping (Value) -> Character) -> Recording<Value> {
    record(driver.distinctValues, by: mark)
  }

  /// Subscribes to a driver and records its values, until the recording is disposed of or deallocated. Values without a
  /// character are drawn as `?`.
  public func record<Value: Equatable>(_ driver: Driver<Value>, values: [Character: Value]) -> Recording<Value> {
    record(driver.distinctValues, values: values)
  }

  /// Subscribes to a driver and records its values, until the recording is disposed of or deallocated. Values are drawn
  /// like those of a stream.
  public func record<Value: LosslessStringConvertible>(_ driver: Driver<Value>) -> Recording<Value> {
    record(driver.distinctValues)
  }

  /// Subscribes to a signal and records its values, until the recording is disposed of or deallocated. `mark` draws
  /// each value as a character.
  public func record<Value>(_ signal: Signal<Value>, by mark: @escaping (Value) -> Character) -> Recording<Value> {
    record(signal.asObservable(), by: mark)
  }

  /// Subscribes to a signal and records its values, until the recording is disposed of or deallocated. Values without a
  /// character are drawn as `?`.
  public func record<Value: Equatable>(_ signal: Signal<Value>, values: [Character: Value]) -> Recording<Value> {
    record(signal.asObservable(), values: values)
  }

  /// Subscribes to a signal and records its values, until the recording is disposed of or deallocated. Values are drawn
  /// like those of a stream.
  public func record<Value: LosslessStringConvertible>(_ signal: Signal<Value>) -> Recording<Value> {
    record(signal.asObservable())
  }

  /// Subscribes to a signal without values and records its events as `x`, until the recording is disposed of or
  /// deallocated.
  public func record(_ signal: Signal<Void>) -> Recording<Void> {
    record(signal.asObservable()) { "x" }
  }
}
