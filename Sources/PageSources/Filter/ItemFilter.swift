internal import Paging
internal import RPC
internal import WireJSON

/// The filters of a source that searches its items itself. Each filter names a field by its path. The field must equal
/// a value, equal one of several values, or be within a range.
struct ItemFilter {
  /// The condition of one filter.
  private enum Condition {
    case equal([RawJSON])
    case within(from: RawJSON?, to: RawJSON?)

    func isMet(by value: RawJSON) -> Bool {
      switch self {
      case .equal(let values): values.contains { value.isEquivalent(to: $0) }
      case .within(let from, let to):
        from.map { isOrdered($0, value) } != false && to.map { isOrdered(value, $0) } != false
      }
    }

    /// Whether two values have the same kind, and the second isn't less than the first.
    private func isOrdered(_ first: RawJSON, _ second: RawJSON) -> Bool {
      first.kind == second.kind && CanonicalScalar.compare(first.bytes, second.bytes) <= 0
    }
  }

  private var conditions: [(path: [String], condition: Condition)] = []
  /// The order of the items; nil for the source's own order.
  private(set) var order: RowOrder?

  init(_ filters: Filters?, in source: String) throws(LoadFailure) {
    for (name, value) in filters?.json.members ?? RawJSON.emptyObject.members {
      guard value.text.utf8.count <= Filters.mostBytes else {
        throw LoadFailure(
          invalidFilter: name.string, "a value of at most \(Filters.mostBytes) bytes", value, in: source)
      }
      if name == "sort" {
        order = try RowOrder(value, in: source)
      } else {
        conditions.append((RowOrder.path(to: name.string), try ItemFilter.condition(name.string, value, in: source)))
      }
    }
  }

  /// A filter that all items match.
  init() {}

  /// A filter that only the item with an id matches.
  init(id: RawJSON, of member: String) { conditions = [([member], .equal([id]))] }

  /// Whether there are no conditions.
  var isEmpty: Bool { conditions.isEmpty }

  /// The maximum number of comparisons for one item.
  var comparisons: Int {
    conditions.reduce(0) { sum, asked in
      if case .equal(let values) = asked.condition { sum + values.count } else { sum + 2 }
    }
  }

  /// Whether an item matches all conditions.
  func matches(_ item: RawJSON) -> Bool {
    conditions.allSatisfy { path, condition in item.has(path[...], condition.isMet) }
  }

  private static func condition(
    _ name: String, _ value: RawJSON, in source: String
  ) throws(LoadFailure) -> Condition {
    switch value.kind {
    case .array: return .equal(value.elements.map { $0 })
    case .object:
      let ends = value.members.filter { !$0.value.isNull }
      guard !ends.isEmpty,
        ends.allSatisfy({ ["from", "to"].contains($0.key) && [.number, .string].contains($0.value.kind) })
      else {
        throw LoadFailure(
          invalidFilter: name, #"a value, a list of values, or {"from", "to"} with numbers or texts"#, value, in: source
        )
      }
      func end(_ name: String) -> RawJSON? { value.member(name).flatMap { $0.isNull ? nil : $0 } }
      return .within(from: end("from"), to: end("to"))
    default: return .equal([value])
    }
  }
}

extension RowOrder {
  /// Reads the name of a field, with a `-` before it for descending order. Nil for the source's own order.
  fileprivate init?(_ sort: RawJSON, in source: String) throws(LoadFailure) {
    if sort.isNull { return nil }
    guard let order = sort.string.flatMap(RowOrder.init(sort:)) else {
      throw LoadFailure(
        invalidFilter: "sort", "the name of a field, with a - before it for descending order", sort, in: source)
    }
    self = order
  }

  /// Returns the items in this order. Items with equal values keep their order.
  func sorted<Item>(_ items: [Item], _ json: (Item) -> RawJSON) -> [Item] {
    items.map { (item: $0, value: value(in: json($0))) }.enumerated()
      .sorted { left, right in
        let comparison = compare(left.element.value, right.element.value)
        return comparison == 0 ? left.offset < right.offset : comparison < 0
      }
      .map(\.element.item)
  }
}

extension RawJSON {
  /// Whether the field at a path meets a condition. For an array, one of its elements must meet it.
  fileprivate func has(_ path: ArraySlice<String>, _ isMet: (RawJSON) -> Bool) -> Bool {
    if kind == .array { return elements.contains { $0.has(path, isMet) } }
    guard let name = path.first else { return isMet(self) }
    return member(name)?.has(path.dropFirst(), isMet) ?? false
  }
}

extension LoadFailure {
  /// The failure for a filter that the source doesn't understand.
  init(invalidFilter name: String, _ expected: String, _ value: RawJSON, in source: String) {
    self.init(
      code: RPCError.Code.invalidParams.rawValue,
      message:
        "\(source): the filter \"\(name)\" must be \(expected), not \(String(value.text.unicodeScalars.prefix(80)))")
  }
}
