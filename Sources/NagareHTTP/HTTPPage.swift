internal import Foundation
internal import HTTPSettings
internal import RPC
internal import WireJSON

/// A page as `source/page` answers it: the items are the bytes that the server sent.
struct HTTPPage {
  let items: RawJSON
  let next: RawJSON?
  let total: Int?

  /// Reads a server's answer.
  ///
  /// - Parameters:
  ///   - answer: the answer, of status 200.
  ///   - address: where it came from.
  ///   - configuration: where what is in it.
  ///   - reach: where the next page may be.
  /// - Throws: what is wrong with it.
  init(
    _ answer: HTTPAnswer, from address: PageAddress, _ configuration: HTTPSourceConfiguration, _ reach: Reach
  ) throws(RPCError) {
    func nonsense(_ fault: String) -> RPCError { .nonsense("\(address.shown) answered \(answer.summary): \(fault)") }

    let json: RawJSON
    do throws(JSONError) {
      // The answer of this program nests it deeper, and the other side has a limit too.
      json = try RawJSON(validating: answer.body.withoutByteOrderMark, maxDepth: 500)
    } catch {
      throw nonsense("\(error.explanation(in: answer.body)); check \"url\"")
    }
    guard let items = json.value(at: configuration.items) else {
      throw nonsense("it has no \(configuration.items.shown); set \"items\" to the members that lead to the array")
    }
    guard items.kind == .array else {
      let place = configuration.items.isEmpty ? "it" : configuration.items.shown
      throw nonsense("\(place) is no array; set \"items\" to the members that lead to the array")
    }
    var count = 0
    for item in items.elements {
      guard item.kind == .object else {
        throw nonsense("item \(count) (line \(item.location.line), column \(item.location.column)) is no object")
      }
      count += 1
    }
    self.items = items
    total = try configuration.total?.find(in: json, answer, fault: nonsense)
    switch configuration.paging {
    case .page(let first):
      let before = configuration.url.uses(.size) ? (address.ordinal - first) * address.size : nil
      let isLast = isLastPage(count, before: before, of: total, asked: before == nil ? nil : address.size)
      next = isLast ? nil : (address.ordinal + 1).json
    case .offset(let first):
      let asked = configuration.url.uses(.size) ? address.size : nil
      let isLast = isLastPage(count, before: address.ordinal - first, of: total, asked: asked)
      next = isLast ? nil : (address.ordinal + count).json
    case .cursor(let path, let more):
      next = try more.flatMap { json.value(at: $0)?.bool } == false ? nil : json.cursor(at: path, fault: nonsense)
    case .link:
      next = try answer.nextLink(from: address.url, within: reach, fault: nonsense)
    case .single:
      next = nil
    }
  }

  /// Writes the result of `source/page`.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("items")
    items.write(to: &writer)
    writer.key("next")
    next.write(to: &writer)
    if let total { writer.member("total", total) }
    writer.endObject()
  }
}

/// Whether there is no page after one: by the total where it is known, else a page that is shorter than it was asked to be
/// is the last. An empty page always is.
func isLastPage(_ count: Int, before: Int?, of total: Int?, asked: Int?) -> Bool {
  if count == 0 { return true }
  if let total, let before { return before + count >= total }
  return asked.map { count < $0 } ?? false
}

extension HTTPAnswer {
  /// The address that the header `Link` names as the next page's.
  fileprivate func nextLink(
    from url: URL, within reach: Reach, fault: (String) -> RPCError
  ) throws(RPCError) -> RawJSON? {
    guard let text = self["link"].flatMap({ LinkHeader.target(of: "next", in: $0) }) else { return nil }
    guard let target = URL(string: text, relativeTo: url)?.absoluteURL, reach.allows(target) else {
      throw fault("its Link leads elsewhere, to \(text.prefix { $0 != "?" }); \(Reach.remedy)")
    }
    return target.absoluteString.json
  }
}

extension TotalPlace {
  fileprivate func find(in json: RawJSON, _ answer: HTTPAnswer, fault: (String) -> RPCError) throws(RPCError) -> Int? {
    if let path {
      guard let value = json.value(at: path), !value.isNull else { return nil }
      if let total = value.int, total >= 0 { return total }
      throw fault("\(path.shown) is no number of items; set \"total\" to the members that lead to it, or leave it out")
    }
    guard let header, let text = answer[header.lowercased()] else { return nil }
    if let total = Int(text), total >= 0 { return total }
    throw fault("the header \(header) is no number of items; set \"total\" to the header that is, or leave it out")
  }
}

extension RawJSON {
  /// Goes into objects, member by member.
  func value(at path: [String]) -> RawJSON? {
    var value: RawJSON? = self
    for name in path { value = value?.member(name) }
    return value
  }

  /// The name of the next page; null, false and the empty string are none.
  fileprivate func cursor(at path: [String], fault: (String) -> RPCError) throws(RPCError) -> RawJSON? {
    guard let cursor = value(at: path), !cursor.isNull, cursor.bool != false, cursor.string != "" else { return nil }
    guard cursor.kind == .string || cursor.kind == .number else {
      throw fault("\(path.shown) is no cursor, which is a string or a number; check \"next\"")
    }
    return cursor
  }
}

extension [String] {
  /// Members' names as a person writes them.
  var shown: String { "\"\(joined(separator: "."))\"" }
}

extension [UInt8] {
  /// RFC 8259, section 8.1 lets a reader pass over the mark.
  fileprivate var withoutByteOrderMark: [UInt8] { starts(with: [0xEF, 0xBB, 0xBF]) ? Array(dropFirst(3)) : self }
}

extension JSONError {
  /// What is wrong with a body, where, and how it begins.
  fileprivate func explanation(in body: [UInt8]) -> String {
    guard !body.isEmpty else { return "the answer is empty, not JSON" }
    let place = SourceLocation(of: offset, in: body)
    let start = String(decoding: body.prefix(40), as: UTF8.self).map { $0.isNewline ? " " : $0 }
    return """
      the answer isn't JSON: \(message) at line \(place.line), column \(place.column); it begins with \
      \(String(start).json.text)
      """
  }
}
