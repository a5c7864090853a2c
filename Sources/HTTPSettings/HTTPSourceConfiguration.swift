package import WireJSON

/// A source whose pages come from a web server: its part of the configuration, and the argument of `nagare-http`.
/// ```json
/// {"type": "http", "url": "https://qiita.com/api/v2/items?page={page}&per_page={size}&query={query}",
///  "total": {"header": "Total-Count"}, "maxPageSize": 100}
/// ```
package struct HTTPSourceConfiguration: Record, Sendable {
  /// Always `http`.
  package let type: String
  /// The template for the address of a page.
  package let url: URLTemplate
  /// The field that is the items' id.
  package let id: String
  /// The headers of the requests, by their names.
  package let headers: [String: HeaderValue]
  /// The path of the items in the answer; empty if the answer itself is the array.
  package let items: [String]
  /// How the next page is found; nil if `url` determines it.
  package let next: NextPage?
  /// The location of the total number of items; nil if the server doesn't send it.
  package let total: TotalLocation?
  /// The maximum number of items that the server sends in one page; nil if it has no limit.
  package let maxPageSize: Int?
  /// The time limit of one try, in milliseconds.
  package let timeout: Int
  /// The maximum number of further tries after the first one failed.
  package var retries: Int
  /// The maximum size of an answer after decompression, in bytes.
  package let maxResponseSize: Int
  /// The maximum number of requests that run at the same time.
  package let maxConcurrent: Int
  /// Further hosts to which redirects and links may lead. Each includes its port, unless that is the default port.
  package let allowRedirectsTo: [String]
  /// How a list notices changes; nil if it doesn't.
  package let live: HTTPLive?

  /// The fields in JSON.
  package static let fields = Fields(
    HTTPSourceConfiguration.init,
    Field("type", \.type, default: "http"),
    Field(
      "url", \.url,
      "The address of a page. {page}, {offset}, {size}, {query} and {cursor} are replaced by their values."),
    Field("id", \.id, default: "id", "The field of an item that is its id."),
    Field(
      "headers", \.headers, default: [:], "Headers of the requests. A secret is named by its environment variable."),
    Field("items", \.items, default: [], "The path of fields to the items in the response."),
    Field(
      "next", \.next,
      "Where the response has the next page. By default, {page} or {offset} in the url counts the pages; without these there is one page."
    ),
    Field("total", \.total, "Where the response has the total number of items."),
    Field("maxPageSize", \.maxPageSize, "The most items that the server returns in a page.")
      .limited(to: 1...10_000),
    Field("timeout", \.timeout, default: 8000, "The time limit of one try, in milliseconds.")
      .limited(to: 1...600_000),
    Field("retries", \.retries, default: 2, "How many times a failed request is tried again.")
      .limited(to: 0...10),
    Field("maxResponseSize", \.maxResponseSize, default: 8 << 20, "The most bytes of a response, after decompression.")
      .limited(to: 1...1_073_741_824),
    Field("maxConcurrent", \.maxConcurrent, default: 4, "The most requests that run at the same time.")
      .limited(to: 1...100),
    Field("allowRedirectsTo", \.allowRedirectsTo, default: [], "The other hosts that redirects and links may lead to."),
    Field("live", \.live, "How lists receive changes: by events, or by polling."))

  /// Reads an object, and reports every field that is wrong or doesn't fit the others.
  package static func decode(_ json: RawJSON, in context: inout DecodingContext) -> HTTPSourceConfiguration? {
    guard let configuration = fields.decode(json, in: &context) else { return nil }
    configuration.check(json, in: &context)
    return configuration
  }

  /// How the next page is found.
  package var paging: Paging {
    if let next { return next.paging }
    if url.uses(.page) { return .page(first: 1) }
    return url.uses(.offset) ? .offset(first: 0) : .single
  }
}

// MARK: - Checks of related fields

extension HTTPSourceConfiguration {
  private func check(_ json: RawJSON, in context: inout DecodingContext) {
    func report(_ path: [String], _ expected: String) {
      let place = path.reduce(json) { place, step in place.member(step) ?? place }
      context.report(DecodingFailure(expected: expected, in: place, path: path))
    }
    for name in headers.keys.sorted() where !isHeaderName(name) {
      report(["headers", name], "the name of a header: letters, digits and hyphens")
    }
    for case (let name, .secret(let place)) in headers.sorted(by: { $0.key < $1.key })
    where place.environment.hasPrefix("HTTP_") {
      report(
        ["headers", name, "environment"],
        "a name that doesn't begin with HTTP_, because web servers fill such variables from a client's headers")
    }
    for (index, host) in allowRedirectsTo.enumerated() where !isHost(host) {
      report(["allowRedirectsTo", "[\(index)]"], "a host without scheme and path, such as \"api.example.org\"")
    }
    if let total, (total.path == nil) == (total.header == nil) {
      report(["total"], "an object with either 'path' or 'header'")
    }
    if let failure = live?.failure { report(["live"] + failure.path, failure.expected) }
    if let next { check(next, report) } else { checkInference(report) }
  }

  private func check(_ next: NextPage, _ report: (_ path: [String], _ expected: String) -> Void) {
    let ways = [(URLTemplate.Placeholder.page, NextPage.Method.page), (.offset, .offset), (.cursor, .cursor)]
    for (placeholder, way) in ways where url.uses(placeholder) != (next.by == way) {
      if next.by == way {
        report(["url"], "an address with {\(placeholder.name)}, because 'next' has 'by': \(way.rawValue)")
      } else {
        report(["next", "by"], "\"\(way.rawValue)\", because 'url' has {\(placeholder.name)}")
      }
    }
    if next.by == .cursor, next.path?.isEmpty ?? true {
      report(["next"], "an object with 'path', the path of fields to the cursor")
    }
    if next.by == .page || next.by == .offset, next.path != nil {
      report(["next", "path"], "left out: it is only for \"cursor\" and \"link\"")
    }
    if next.path == nil, next.previous != nil { report(["next", "previous"], "left out: it needs 'path'") }
    if next.by != .cursor, next.more != nil { report(["next", "more"], "left out: it is only for \"cursor\"") }
    if next.by == .cursor || next.by == .link, next.first != nil {
      report(["next", "first"], "left out: it is only for \"page\" and \"offset\"")
    }
  }

  private func checkInference(_ report: (_ path: [String], _ expected: String) -> Void) {
    if url.uses(.cursor) { report([], "an object with 'next', because 'url' has {cursor}") }
    if url.uses(.page), url.uses(.offset) { report(["url"], "an address with {page} or {offset}, not both") }
  }
}
