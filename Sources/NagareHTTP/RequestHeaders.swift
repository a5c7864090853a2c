internal import Paging
internal import HTTPSettings
internal import RPC

/// The headers of every request.
struct RequestHeaders: Sendable {
  private var plain = ["Accept": "application/json", "User-Agent": "nagare-http"]
  /// Go to the configuration's own server alone.
  private var secret: [String: String] = [:]
  /// Why no request can be made.
  private(set) var error: RPCError?

  /// Looks the secrets up.
  init(_ headers: [String: HeaderValue], environment: (String) -> String?) {
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .plain(let text):
        // Names differ in case alone: the configuration's counts.
        plain.set(text, for: name)
      case .secret(let place):
        if let text = environment(place.environment), !text.isEmpty {
          secret[name] = place.prefix + text
        } else if !place.optional {
          error = error ?? RequestHeaders.error(name, "\(place.environment) isn't set")
        }
        if let text = secret[name], !isHeaderText(text) {
          error = error ?? RequestHeaders.error(name, "\(place.environment) has control characters in it")
        }
      }
    }
  }

  /// The values of a request's headers, by name; the secret ones go to the configuration's own server alone.
  func values(withSecrets: Bool) -> [String: String] {
    var values = plain
    if withSecrets { for (name, value) in secret { values.set(value, for: name) } }
    return values
  }

  private static func error(_ header: String, _ reason: String) -> RPCError {
    let message =
      "the header \(header) has no value: the environment variable \(reason); set it where nagare is started"
    return RPCError(load: LoadFailure.Code.unreachable.rawValue, message, isRetryable: false)
  }
}
