public import WireJSON
internal import ItemList

/// A member by which a source's rows are in order: numbers by value, before texts by their code points; what has neither is
/// last.
public struct RowOrder: Record, Hashable, Sendable {
  /// The member's name; `a.b` is the member `b` of the object `a`.
  public let by: String
  /// Whether what is larger comes first.
  public let descending: Bool
  private let path: [String]

  /// An order by a member.
  public init(by: String, descending: Bool = false) {
    (self.by, self.descending) = (by, descending)
    path = RowOrder.path(to: by)
  }

  /// What leads to a member: the names between the dots.
  package static func path(to member: String) -> [String] {
    member.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// An order as the filter `sort` names it: by a member, after a `-` if the order falls; nil if the text names none.
  package init?(sort: String) {
    let isDescending = sort.hasPrefix("-")
    let name = isDescending ? String(sort.dropFirst()) : sort
    if name.isEmpty { return nil }
    self.init(by: name, descending: isDescending)
  }

  /// Its members on the wire.
  public static let fields = Fields(
    RowOrder.init(by:descending:),
    Field("by", \.by, "The member."),
    Field("descending", \.descending, default: false, "Whether larger values come first."))
}

extension RowOrder {
  /// Compares what stands under the member in two items: less than zero if the left one comes first, more if the right
  /// one does. What is neither a number nor a text is last, whichever way the order goes.
  package func compare(_ left: RawJSON?, _ right: RawJSON?) -> Int {
    switch (key(left), key(right)) {
    case (nil, nil): 0
    case (nil, _): 1
    case (_, nil): -1
    case (let left?, let right?): (descending ? -1 : 1) * CanonicalScalar.compare(left.bytes, right.bytes)
    }
  }

  /// What it goes by in an item.
  package func value(in item: RawJSON) -> RawJSON? { path.reduce(item) { $0?.member($1) } }

  private func key(_ value: RawJSON?) -> RawJSON? { value.flatMap { [.number, .string].contains($0.kind) ? $0 : nil } }
}

extension [RowOrder] {
  /// The position of an item among the deferred rows and the listed ones behind them. A deferred row counts as before the
  /// first listed row, whatever the order says of the two: that row may have changed since.
  func position(of item: ItemList.Item, in deferred: ItemList, _ rows: ItemList) -> Int {
    if let first = rows.first, !places(item, before: first) { return deferred.count + position(of: item, in: rows) }
    return position(of: item, in: deferred)
  }

  /// The position of an item in a list: after all items that the order doesn't put behind it.
  func position(of item: ItemList.Item, in list: ItemList) -> Int {
    var range = 0..<list.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = places(item, before: list[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// Whether an item stands before another.
  func places(_ item: ItemList.Item, before other: ItemList.Item) -> Bool {
    for order in self {
      let comparison = order.compare(order.value(in: item.json), order.value(in: other.json))
      if comparison != 0 { return comparison < 0 }
    }
    return false
  }
}

extension Criteria {
  /// By what the items are in order: by the member that `sort` names, and where that is equal as the source has them.
  func order(over own: [RowOrder]) -> [RowOrder] {
    guard let sort = filters?.json.member("sort")?.string.flatMap(RowOrder.init(sort:)) else { return own }
    return [sort] + own.filter { $0.by != sort.by }
  }
}
