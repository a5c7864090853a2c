/// Why there is no answer.
enum TransferFailure: Error, Hashable {
  /// The system's HTTP client can't be used, and why.
  case noClient(String)
  case timedOut
  case tooLarge
  /// What libcurl says, and whether another try may succeed.
  case network(String, isTransient: Bool)
}
