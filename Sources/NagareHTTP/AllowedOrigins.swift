internal import HTTPSettings

/// The servers to which redirects and links may lead.
struct AllowedOrigins: Sendable {
  static let remedy = "if you trust it, add its host to \"allowRedirectsTo\""

  private let home: WebAddress.Origin?
  private let others: Set<WebAddress.Origin>

  init(_ configuration: HTTPSourceConfiguration) {
    let home = WebAddress(configuration.url.expanded([:]).url)?.origin
    self.home = home
    others = Set(configuration.allowRedirectsTo.compactMap { WebAddress.Origin(home?.scheme ?? "https", $0) })
  }

  /// Whether the address belongs to the configured server. Only that server receives secrets.
  func isHome(_ url: WebAddress) -> Bool { url.origin == home }

  /// Whether requests may be sent to the address.
  func allows(_ url: WebAddress) -> Bool { url.origin == home || others.contains(url.origin) }
}
