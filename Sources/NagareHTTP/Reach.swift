internal import Foundation
internal import HTTPSettings

/// Where redirects and links may lead.
struct Reach: Sendable {
  /// Scheme, host and port: whoever answers there is one and the same.
  struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    /// Nil unless it is an address of the web.
    init?(_ url: URL) {
      guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased(), !host.isEmpty,
        let port = url.port ?? ["http": 80, "https": 443][scheme], url.user == nil, url.password == nil
      else { return nil }
      (self.scheme, self.host, self.port) = (scheme, host, port)
    }
  }

  private let home: Origin?
  private let others: Set<Origin>

  init(_ configuration: HTTPSourceConfiguration) {
    let url = URL(string: configuration.url.expanded([:]).url)
    home = url.flatMap(Origin.init)
    let scheme = url?.scheme ?? "https"
    others = Set(configuration.allowRedirectsTo.compactMap { URL(string: "\(scheme)://\($0)/").flatMap(Origin.init) })
  }

  /// Whether the configuration's own server answers there: secrets go nowhere else.
  func isHome(_ url: URL) -> Bool { Origin(url).map { $0 == home } ?? false }

  /// Whether requests may go there.
  func allows(_ url: URL) -> Bool { Origin(url).map { $0 == home || others.contains($0) } ?? false }
}
