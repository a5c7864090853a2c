public import Flow

extension Marbles {
  /// Subscribes to a driver, and records what it sends.
  ///
  /// - Parameters:
  ///   - driver: the driver.
  ///   - mark: how a value is drawn.
  /// - Returns: the recording. It ends when it is disposed of or goes away.
  public func record<Value>(_ driver: Driver<Value>, by mark: @escaping (Value) -> Character) -> Recording<Value> {
    record(driver.asObservable(), by: mark)
  }

  /// Subscribes to a driver, and records what it sends.
  ///
  /// - Parameters:
  ///   - driver: the driver.
  ///   - values: what the characters stand for. Any other value is drawn as `?`.
  /// - Returns: the recording. It ends when it is disposed of or goes away.
  public func record<Value: Equatable>(_ driver: Driver<Value>, values: [Character: Value]) -> Recording<Value> {
    record(driver.asObservable(), values: values)
  }

  /// Subscribes to a driver whose values are characters, digits, or true and false, and records what it sends.
  ///
  /// - Parameter driver: the driver. Its values are drawn as a stream's are.
  /// - Returns: the recording. It ends when it is disposed of or goes away.
  public func record<Value: LosslessStringConvertible>(_ driver: Driver<Value>) -> Recording<Value> {
    record(driver.asObservable())
  }

  /// Subscribes to a signal, and records what it sends.
  ///
  /// - Parameters:
  ///   - signal: the signal.
  ///   - mark: how a value is drawn.
  /// - Returns: the recording. It ends when it is disposed of or goes away.
  public func record<Value>(_ signal: Signal<Value>, by mark: @escaping (Value) -> Character) -> Recording<Value> {
    record(signal.asObservable(), by: mark)
  }

  /// Subscribes to a signal, and records what it sends.
  ///
  /// - Parameters:
  ///   - signal: the signal.
  ///   - values: what the characters stand for. Any other value is drawn as `?`.
  /// - Returns: the recording. It ends when it is disposed of or goes away.
  public func record<Value: Equatable>(_ signal: Signal<Value>, values: [Character: Value]) -> Recording<Value> {
    record(signal.asObservable(), values: values)
  }

  /// Subscribes to a signal whose values are characters, digits, or true and false, and records what it sends.
  ///
  /// - Parameter signal: the signal. Its values are drawn as a stream's are.
  /// - Returns: the recording. It ends when it is disposed of or goes away.
  public func record<Value: LosslessStringConvertible>(_ signal: Signal<Value>) -> Recording<Value> {
    record(signal.asObservable())
  }

  /// Subscribes to a signal without values, and records when it sends, as `x`.
  ///
  /// - Parameter signal: the signal.
  /// - Returns: the recording. It ends when it is disposed of or goes away.
  public func record(_ signal: Signal<Void>) -> Recording<Void> {
    record(signal.asObservable()) { "x" }
  }
}
