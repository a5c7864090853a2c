/// The reason why there is no answer.
enum TransferFailure: Error, Hashable {
  /// The system's HTTP client can't be used. The text is the reason.
  case noClient(String)
  case timedOut
  case tooLarge
  /// libcurl's description of the failure, and whether another try may succeed.
  case network(String, isTransient: Bool)
}
