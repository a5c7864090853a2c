public import WireJSON
internal import ItemList

/// One sort criterion of a source's rows: a field of the items.
///
/// Numbers sort by value and come before strings, which sort by code points. Items with any other value come last.
public struct RowOrder: Record, Hashable, Sendable {
  /// The field's name. In a name such as `a.b`, `b` is a field of the object `a`.
  public let by: String
  /// Whether larger values come first.
  public let descending: Bool
  private let path: [String]

  /// Creates an order by a field.
  public init(by: String, descending: Bool = false) {
    (self.by, self.descending) = (by, descending)
    path = RowOrder.path(to: by)
  }

  /// The names between the dots of a field's name.
  package static func path(to member: String) -> [String] {
    member.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// Creates an order from the value of the filter `sort`: a field's name, after a `-` for descending order. Nil
  /// without a name.
  package init?(sort: String) {
    let isDescending = sort.hasPrefix("-")
    let name = isDescending ? String(sort.dropFirst()) : sort
    if name.isEmpty { return nil }
    self.init(by: name, descending: isDescending)
  }

  /// The fields on the wire.
  public static let fields = Fields(
    RowOrder.init(by:descending:),
    Field("by", \.by, "The member."),
    Field("descending", \.descending, default: false, "Whether larger values come first."))
}

extension RowOrder {
  /// Compares two values of the field. The result is negative if the left one comes first, and positive if the right
  /// one does. A value that is neither a number nor a string comes last, also in descending order.
  package func compare(_ left: RawJSON?, _ right: RawJSON?) -> Int {
    switch (key(left), key(right)) {
    case (nil, nil): 0
    case (nil, _): 1
    case (_, nil): -1
    case (let left?, let right?): (descending ? -1 : 1) * CanonicalScalar.compare(left.bytes, right.bytes)
    }
  }

  /// The value of the field in an item.
  package func value(in item: RawJSON) -> RawJSON? { path.reduce(item) { $0?.member($1) } }

  private func key(_ value: RawJSON?) -> RawJSON? { value.flatMap { [.number, .string].contains($0.kind) ? $0 : nil } }
}

extension [RowOrder] {
  /// The position of an item in a list made of the deferred rows followed by the listed rows.
  ///
  /// Deferred rows always come before the first listed row, even against the order, because that row may have changed
  /// since.
  func position(of item: ItemList.Item, in deferred: ItemList, _ rows: ItemList) -> Int {
    if let first = rows.first, !places(item, before: first) { return deferred.count + position(of: item, in: rows) }
    return position(of: item, in: deferred)
  }

  /// The position of an item in a sorted list, after all equal items.
  func position(of item: ItemList.Item, in list: ItemList) -> Int {
    var range = 0..<list.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = places(item, before: list[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
    }
    return range.lowerBound
  }

  /// Whether an item comes before another one.
  func places(_ item: ItemList.Item, before other: ItemList.Item) -> Bool {
    for order in self {
      let comparison = order.compare(order.value(in: item.json), order.value(in: other.json))
      if comparison != 0 { return comparison < 0 }
    }
    return false
  }
}

extension Criteria {
  /// The order of the rows under these criteria: first by the field that the filter `sort` names, then by the source's
  /// own order.
  func order(over own: [RowOrder]) -> [RowOrder] {
    guard let sort = filters?.json.member("sort")?.string.flatMap(RowOrder.init(sort:)) else { return own }
    return [sort] + own.filter { $0.by != sort.by }
  }
}
