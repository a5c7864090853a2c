internal import Paging
internal import HTTPSettings
internal import RPC
internal import WireJSON

/// The address of a page.
struct PageAddress: Sendable {
  let url: WebAddress
  /// The address in messages, without possible secrets.
  let shown: String
  /// The number of the page, or the number of items before it; 0 if it has neither.
  let ordinal: Int
  /// The requested number of items.
  let size: Int
  /// Whether the page was requested by its position, or precedes such a page.
  let isJump: Bool

  /// The upper limit of positions and page numbers. It is far beyond any page, and far below the largest integer.
  static let mostItems = 1 << 40

  /// Creates the address for a request.
  init(of request: PageRequest, _ configuration: HTTPSourceConfiguration) throws(RPCError) {
    var size = min(request.size, configuration.maxPageSize ?? .max)
    var values: [URLTemplate.Placeholder: String] = [.query: request.query ?? ""]
    for placeholder in configuration.url.placeholders {
      if case .filter(let name) = placeholder { values[placeholder] = try request.filters?.text(for: name) }
    }
    var ordinal = 0
    let end = request.key?.member("before")
    let isJump = request.position != nil || end != nil
    switch configuration.paging {
    case .offset(let first) where isJump:
      ordinal = try PageAddress.ordinal(end, from: first)
      if let position = request.position {
        ordinal = first + position
      } else {
        size = min(size, ordinal - first)
        ordinal -= size
      }
      values[.offset] = String(ordinal)
    case _ where request.position != nil: throw .wrongParameter("at", "left out: \"url\" has no {offset}")
    case .page(let first), .offset(let first):
      ordinal = try PageAddress.ordinal(request.key, from: first)
      values[.page] = String(ordinal)
      values[.offset] = String(ordinal)
    case .cursor:
      if let key = request.key { values[.cursor] = key.string ?? key.text }
    case .link:
      if let key = request.key {
        guard let text = key.string, let url = WebAddress(text) else {
          throw .wrongParameter("key", "an address, as the previous page returned it, not \(key.text)")
        }
        self.init(url: url, shown: url.withoutQuery, ordinal: 0, size: size)
        return
      }
    case .single:
      if let key = request.key { throw .wrongParameter("key", "null, because there is only one page, not \(key.text)") }
    }
    values[.size] = String(size)
    guard configuration.url.keepsPath(values) else {
      let isKey = configuration.url.keepsPath(values.filter { $0.key != .cursor })
      let isQuery = configuration.url.keepsPath(values.filter { $0.key != .query })
      throw .wrongParameter(
        isKey ? "key" : isQuery ? "query" : "filters",
        "a text without the segments '.' and '..', because it is a part of the path of \"url\"")
    }
    let address = configuration.url.expanded(values)
    guard let url = WebAddress(address.url) else {
      throw RPCError(.invalidParams, "\(address.shown) isn't an address; check \"url\"")
    }
    self.init(url: url, shown: address.shown, ordinal: ordinal, size: size, isJump: isJump)
  }

  /// Creates the address of the server's events.
  static func events(_ criteria: Criteria, _ template: URLTemplate) throws(RPCError) -> WebAddress {
    var values: [URLTemplate.Placeholder: String] = [.query: criteria.query ?? ""]
    for placeholder in template.placeholders {
      if case .filter(let name) = placeholder { values[placeholder] = try criteria.filters?.text(for: name) }
    }
    let address = template.expanded(values)
    guard template.keepsPath(values), let url = WebAddress(address.url) else {
      throw RPCError(.invalidParams, "\(address.shown) isn't an address; check \"live.events\"")
    }
    return url
  }

  private init(url: WebAddress, shown: String, ordinal: Int, size: Int, isJump: Bool = false) {
    self.url = url
    self.isJump = isJump
    self.shown = shown
    self.ordinal = ordinal
    self.size = size
  }

  private static func ordinal(_ key: RawJSON?, from first: Int) throws(RPCError) -> Int {
    guard let key else { return first }
    guard let ordinal = key.int, (first...mostItems).contains(ordinal) else {
      throw .wrongParameter("key", "a whole number from \(first), as the previous page returned it, not \(key.text)")
    }
    return ordinal
  }
}

extension Filters {
  /// Returns the text of a filter in an address. `name` is the text after `filter.`: the filter's name, followed by
  /// `.from` or `.to` for a bound of a range. Several values are separated by commas. Nil if there is no such filter.
  fileprivate func text(for name: String) throws(RPCError) -> String? {
    if let value = json.member(name) { return try text(of: value, name) }
    guard let point = name.lastIndex(of: "."), let range = json.member(String(name[..<point])), range.kind == .object
    else { return nil }
    return try range.member(String(name[point...].dropFirst())).map { (end) throws(RPCError) in try text(of: end, name)
    }
  }

  private func text(of value: RawJSON, _ name: String) throws(RPCError) -> String {
    switch value.kind {
    case .null: return ""
    case .string: return value.string ?? ""
    case .number, .bool: return value.text
    case .array:
      return try value.elements.map { (one) throws(RPCError) in try text(of: one, name) }.joined(separator: ",")
    case .object:
      throw .wrongParameter(
        "filters.\(name)",
        "a value or a list of values; for a range, \"url\" must have {filter.\(name).from} and {filter.\(name).to}")
    }
  }
}
