internal import HTTPSettings
internal import RPC
internal import WireJSON

/// Reads a page from a server's answer.
struct AnswerReader {
  let configuration: HTTPSourceConfiguration
  /// The servers that may have the next page.
  let allowedOrigins: AllowedOrigins
  /// The address that was requested.
  let address: PageAddress
  /// The answer, with status 200.
  let answer: HTTPAnswer

  /// Reads the page.
  func page() throws(RPCError) -> HTTPPage {
    let json = try json()
    let items = try items(in: json)
    let total = try total(in: json)
    let next = try next(in: json, after: items, of: total)
    var page = HTTPPage(items: items, next: next, previous: try previous(in: json), total: total)
    if address.isJump, case .offset(let first) = configuration.paging {
      page.position = min(address.ordinal - first, total ?? .max)
    }
    return page
  }

  private func malformedResponse(_ reason: String) -> RPCError {
    .malformedResponse("\(address.shown) answered \(answer.summary): \(reason)")
  }

  private func json() throws(RPCError) -> RawJSON {
    // RFC 8259, section 8.1 allows readers to ignore a byte order mark.
    let body = answer.body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(answer.body.dropFirst(3)) : answer.body
    if body.isEmpty { throw malformedResponse("the answer is empty, not JSON; check \"url\"") }
    do throws(JSONError) {
      // The limit is lower than that of the receiver, because the page's message nests this JSON deeper.
      return try RawJSON(validating: body, maxDepth: 500)
    } catch {
      let place = SourceLocation(of: error.offset, in: body)
      throw malformedResponse(
        "the answer isn't JSON: \(error.message) at \(place.words); it begins with \(answer.beginning); check \"url\"")
    }
  }

  private func items(in json: RawJSON) throws(RPCError) -> RawJSON {
    let (path, remedy) = (configuration.items, "set \"items\" to the fields that lead to the array")
    guard let items = json.value(at: path) else { throw malformedResponse("it has no \(path.shown); \(remedy)") }
    guard items.kind == .array else {
      throw malformedResponse("\(path.isEmpty ? "it" : path.shown) isn't an array; \(remedy)")
    }
    for (index, item) in items.elements.enumerated() where item.kind != .object {
      throw malformedResponse("item \(index), at \(item.location.words), isn't an object")
    }
    return items
  }

  private func total(in json: RawJSON) throws(RPCError) -> Int? {
    guard let place = configuration.total else { return nil }
    let (name, text): (String, String?) =
      if let path = place.path {
        (path.shown, json.value(at: path).flatMap { $0.isNull ? nil : $0.text })
      } else {
        ("the header \(place.header ?? "")", place.header.flatMap { answer[$0.lowercased()] })
      }
    guard let text else { return nil }
    guard let total = Int(text), total >= 0 else {
      throw malformedResponse("\(name) isn't a number of items; set \"total\" to another field, or leave it out")
    }
    return total
  }

  private func next(in json: RawJSON, after items: RawJSON, of total: Int?) throws(RPCError) -> RawJSON? {
    let count = items.elements.reduce(0) { count, _ in count + 1 }
    let asked = configuration.url.uses(.size) ? address.size : nil
    switch configuration.paging {
    case .page(let first):
      let before = asked.map { (address.ordinal - first) * $0 }
      return isLastPage(count, before: before, of: total, asked: asked) ? nil : (address.ordinal + 1).json
    case .offset(let first):
      let before = address.ordinal - first
      return isLastPage(count, before: before, of: total, asked: asked) ? nil : (address.ordinal + count).json
    case .cursor(let path, _, let more):
      let isLast = more.flatMap { json.value(at: $0)?.bool } == false
      return isLast ? nil : try cursor(in: json, at: path)
    case .link(let path?, _): return try address(in: json, at: path)
    case .link: return try address(by: "next")
    case .single: return nil
    }
  }

  private func previous(in json: RawJSON) throws(RPCError) -> RawJSON? {
    switch configuration.paging {
    case .cursor(_, let path?, _): try cursor(in: json, at: path)
    case .link(.some, let path?): try address(in: json, at: path)
    case .link(nil, _): try address(by: "prev")
    case .offset(let first) where address.isJump && address.ordinal > first: ["before": address.ordinal].json
    default: nil
    }
  }

  /// Returns a cursor. Null, false and an empty string mean that there is none.
  private func cursor(in json: RawJSON, at path: [String]) throws(RPCError) -> RawJSON? {
    guard let cursor = json.value(at: path), !cursor.isNull, cursor.bool != false, cursor.string?.isEmpty != true else {
      return nil
    }
    guard cursor.kind == .string || cursor.kind == .number else {
      throw malformedResponse("\(path.shown) isn't a cursor, which must be a string or a number; check \"next\"")
    }
    return cursor
  }

  private func address(in json: RawJSON, at path: [String]) throws(RPCError) -> RawJSON? {
    guard let text = try cursor(in: json, at: path) else { return nil }
    return try address(text.string ?? text.text, path.shown)
  }

  private func address(by relation: String) throws(RPCError) -> RawJSON? {
    guard let text = answer["link"].flatMap({ LinkHeader.target(of: relation, in: $0) }) else { return nil }
    return try address(text, "the header Link")
  }

  private func address(_ text: String, _ place: String) throws(RPCError) -> RawJSON {
    guard let target = WebAddress(text, relativeTo: address.url), allowedOrigins.allows(target) else {
      throw malformedResponse(
        "\(place) leads elsewhere, to \(Substring(text.unicodeScalars.prefix { $0 != "?" })); \(AllowedOrigins.remedy)")
    }
    return target.text.json
  }
}

/// Whether a page is the last one. An empty page is. Otherwise the total decides, if it is known. Otherwise the page is
/// the last if it has fewer items than were requested. `asked` is nil if the server doesn't receive the requested
/// number.
func isLastPage(_ count: Int, before: Int?, of total: Int?, asked: Int?) -> Bool {
  if count == 0 { return true }
  if let total, let before { return before + count >= total }
  return asked.map { count < $0 } ?? false
}

extension RawJSON {
  /// Returns the value at a path of fields.
  fileprivate func value(at path: [String]) -> RawJSON? {
    path.reduce(self) { value, name in value?.member(name) }
  }
}

extension [String] {
  /// The path as it is shown in messages.
  fileprivate var shown: String { "\"\(joined(separator: "."))\"" }
}

extension SourceLocation {
  fileprivate var words: String { "line \(line), column \(column)" }
}
