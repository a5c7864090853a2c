public import WireJSON
internal import ItemList

/// A member by which a source's rows are in order: numbers by value, before texts by their code points; what has neither is
/// last.
public struct RowOrder: Record, Hashable, Sendable {
  /// The member's name.
  public let by: String
  /// Whether what is larger comes first.
  public let descending: Bool

  /// An order by a member.
  public init(by: String, descending: Bool = false) { (self.by, self.descending) = (by, descending) }

  /// Its members on the wire.
  public static let fields = Fields(
    RowOrder.init(by:descending:),
    Field("by", \.by, "The member."),
    Field("descending", \.descending, default: false, "Whether what is larger comes first."))
}

extension RowOrder {
  /// Compares what stands under the member in two items. What is neither a number nor a text is last, whichever way the order
  /// goes.
  ///
  /// - Returns: less than zero if the left one comes first, more if the right one does.
  package func compare(_ left: RawJSON?, _ right: RawJSON?) -> Int {
    switch (key(left), key(right)) {
    case (nil, nil): 0
    case (nil, _): 1
    case (_, nil): -1
    case (let left?, let right?): (descending ? -1 : 1) * CanonicalScalar.compare(left.bytes, right.bytes)
    }
  }

  private func key(_ value: RawJSON?) -> RawJSON? { value.flatMap { [.number, .string].contains($0.kind) ? $0 : nil } }
}

extension [RowOrder] {
  /// Whether an item stands before another.
  func places(_ item: ItemList.Item, before other: ItemList.Item) -> Bool {
    for order in self {
      let comparison = order.compare(item.json.member(order.by), other.json.member(order.by))
      if comparison != 0 { return comparison < 0 }
    }
    return false
  }
}
