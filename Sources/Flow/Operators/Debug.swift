extension ObservableConvertible {
  /// Prints the events of a stream without changing them: each subscription, each event before it is forwarded, and the
  /// end of each subscription.
  ///
  /// ```
  /// search -> subscribed
  /// search -> Event next(swift)
  /// search -> isDisposed
  /// ```
  ///
  /// In a server the lines appear in its log, never among its messages.
  ///
  /// - Parameters:
  ///   - identifier: the beginning of each line; by default the position in the source code.
  ///   - file: the source file, for the default identifier.
  ///   - line: the line in the source file.
  ///   - function: the function in the source file.
  ///   - write: receives each line, without a line end.
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
