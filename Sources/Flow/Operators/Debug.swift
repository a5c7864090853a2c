extension ObservableConvertible {
  /// Prints what passes, and changes nothing: a subscription, each event before it goes on, and the end of the subscription.
  ///
  /// ```
  /// search -> subscribed
  /// search -> Event next(swift)
  /// search -> isDisposed
  /// ```
  ///
  /// What a service prints is in its log, and never among its messages.
  ///
  /// - Parameters:
  ///   - identifier: stands before each line; the place in the source by default.
  ///   - file: the place in the source.
  ///   - line: the place in the source.
  ///   - function: the place in the source.
  ///   - write: takes each line, without its end.
  /// - Returns: the same stream.
  public func debug(
    _ identifier: String? = nil, file: String = #fileID, line: Int = #line, function: String = #function,
    to write: @escaping (String) -> Void = { print($0) }
  ) -> Observable<Element> {
    let name = identifier ?? "\(file):\(line) (\(function))"
    return `do`(
      onNext: { write("\(name) -> Event next(\($0))") },
      onError: { write("\(name) -> Event error(\($0))") },
      onCompleted: { write("\(name) -> Event completed") },
      onSubscribe: { write("\(name) -> subscribed") },
      onDispose: { write("\(name) -> isDisposed") })
  }
}
