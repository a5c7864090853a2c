public import Flow

extension Driver {
  /// The current value, and then each that differs from the one before.
  ///
  /// A driver of a list may emit a list with the same items again, because it compares versions, which is faster. The service
  /// sends nothing then, so recordings leave this value out, too.
  package var distinctValues: Observable<Value> {
    asObservable().distinctUntilChanged { old, new in (old as? any Versioned)?.equals(new) == true }
  }
}

extension Versioned {
  fileprivate func equals(_ other: Any) -> Bool { self == other as? Self }
}

extension Marbles {
  /// Subscribes to a driver, and records what it sends, each value as `mark` draws it. The recording ends when it is
  /// disposed of or goes away.
  public func record<Value>(_ driver: Driver<Value>, by mark: @escaping (Value) -> Character) -> Recording<Value> {
    record(driver.distinctValues, by: mark)
  }

  /// Subscribes to a driver, and records what it sends, by what the characters stand for; any other value is drawn as
  /// `?`. The recording ends when it is disposed of or goes away.
  public func record<Value: Equatable>(_ driver: Driver<Value>, values: [Character: Value]) -> Recording<Value> {
    record(driver.distinctValues, values: values)
  }

  /// Subscribes to a driver, and records what it sends, drawn as a stream's values are. The recording ends when it is
  /// disposed of or goes away.
  public func record<Value: LosslessStringConvertible>(_ driver: Driver<Value>) -> Recording<Value> {
    record(driver.distinctValues)
  }

  /// Subscribes to a signal, and records what it sends, each value as `mark` draws it. The recording ends when it is
  /// disposed of or goes away.
  public func record<Value>(_ signal: Signal<Value>, by mark: @escaping (Value) -> Character) -> Recording<Value> {
    record(signal.asObservable(), by: mark)
  }

  /// Subscribes to a signal, and records what it sends, by what the characters stand for; any other value is drawn as
  /// `?`. The recording ends when it is disposed of or goes away.
  public func record<Value: Equatable>(_ signal: Signal<Value>, values: [Character: Value]) -> Recording<Value> {
    record(signal.asObservable(), values: values)
  }

  /// Subscribes to a signal, and records what it sends, drawn as a stream's values are. The recording ends when it is
  /// disposed of or goes away.
  public func record<Value: LosslessStringConvertible>(_ signal: Signal<Value>) -> Recording<Value> {
    record(signal.asObservable())
  }

  /// Subscribes to a signal without values, and records when it sends, as `x`. The recording ends when it is disposed
  /// of or goes away.
  public func record(_ signal: Signal<Void>) -> Recording<Void> {
    record(signal.asObservable()) { "x" }
  }
}
