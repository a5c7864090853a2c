internal import Paging
internal import HTTPSettings
internal import RPC

/// The headers of all requests.
struct RequestHeaders: Sendable {
  private var plain = ["Accept": "application/json", "User-Agent": "nagare-http"]
  /// These headers are only sent to the configured server.
  private var secret: [String: String] = [:]
  /// The reason why no request can be made; nil if there is none.
  private(set) var error: RPCError?

  /// Reads the secrets from the environment.
  init(_ headers: [String: HeaderValue], environment: (String) -> String?) {
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      switch value {
      case .plain(let text):
        // If names differ only in case, the configuration's header replaces the default.
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

  /// Returns the headers of a request. Secrets may only be sent to the configured server.
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
