internal import Paging
internal import ItemList
internal import RPC
internal import WireJSON

extension Page<RawJSON> {
  /// Reads the result of `source/page`.
  init(_ result: RawJSON, of source: String, id: String, to request: PageRequest) throws(LoadFailure) {
    func malformedResponse(_ path: String, _ expected: String, _ found: RawJSON?) -> LoadFailure {
      let found = found.map(\.kind.words) ?? "nothing"
      return LoadFailure(
        .malformedResponse,
        "the source \"\(source)\" returned no usable page: expected \(expected) at \(path), found \(found)")
    }
    guard result.kind == .object else { throw malformedResponse("result", "an object", result) }
    let members = result.membersByName
    // The copy doesn't keep the whole read buffer, which contains the answer, in memory.
    guard let array = members["items"], let items = RawItems(arrayOf: RawJSON(copying: array), id: id) else {
      throw malformedResponse("result.items", "an array", members["items"])
    }
    func malformedNumber(_ name: WireText) -> LoadFailure {
      let expected = "an integer from 0 to \(RawJSON.quantities.upperBound)"
      return malformedResponse("result.\(name.string)", expected, members[name])
    }
    func number(_ name: WireText) throws(LoadFailure) -> Int? {
      guard let value = members[name], !value.isNull else { return nil }
      if let number = value.quantity { return number }
      throw malformedNumber(name)
    }
    let (total, position) = (try number("total"), try number("position"))
    let exact = members["exact"] ?? true.json
    guard let isTotalExact = exact.bool else { throw malformedResponse("result.exact", "true or false", exact) }
    let open = members["open"] ?? false.json
    guard let isOpen = open.bool else { throw malformedResponse("result.open", "true or false", open) }
    if position == nil, request.position != nil { throw malformedNumber("position") }
    if let position, let total, isTotalExact, total - position < items.slices.count + items.rejected.count {
      let expected = "at least the position of the page's end, or \"exact\": false,"
      throw malformedResponse("result.total", expected, members["total"])
    }
    if let id = request.around, !items.slices.indices.contains(where: { items.id(at: $0) == id }) {
      throw malformedResponse("result.items", "a page that has the item \(id)", array)
    }
    func key(_ name: WireText) -> RawJSON? { members[name].flatMap { $0.isNull ? nil : RawJSON(copying: $0) } }
    var failures = items.rejected.prefix(Page<RawJSON>.mostFailures).map { item in
      LoadFailure(
        .badRecord,
        "the source \"\(source)\": result.items[\(item.index)]: \(item.reason(id)); the item was left out")
    }
    if items.rejected.count > failures.count {
      let rest = items.rejected.count - failures.count
      failures.append(LoadFailure(.badRecord, "the source \"\(source)\": \(rest) more items were left out"))
    }
    self.init(
      items: items, next: key("next"), previous: key("previous"), total: total,
      state: members["state"]?.string, failures: failures)
    self.position = position
    self.isTotalExact = isTotalExact
    self.isOpen = isOpen
  }

  /// The maximum number of failures of a page that are listed individually.
  static var mostFailures: Int { 100 }
}

extension RejectedItem {
  /// Describes the error of an item in one clause.
  func reason(_ key: String) -> String {
    let found: String
    switch reason {
    case .invalid(let error): return error.message
    case .notAnObject: return "an item must be an object"
    case .noID: found = "nothing"
    case .unusableID(let kind): found = kind.words
    }
    return """
      the item has no id: its field "\(key)" must be a string or a number, found \(found) (name \
      another field with --id, or with "id" of the source)
      """
  }
}
