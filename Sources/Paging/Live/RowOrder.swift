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

extension [RowOrder] {
  /// Whether an item stands before another.
  func places(_ item: ItemList.Item, before other: ItemList.Item) -> Bool {
    for order in self {
      let (key, otherKey) = (item.key(order.by), other.key(order.by))
      // What has no value is last, whichever way the order goes.
      guard let key, let otherKey else {
        if (key == nil) != (otherKey == nil) { return key != nil }
        continue
      }
      let comparison = CanonicalScalar.compare(key.bytes, otherKey.bytes)
      if comparison != 0 { return (comparison < 0) != order.descending }
    }
    return false
  }
}

extension ItemList.Item {
  /// A number or a text that is a member.
  fileprivate func key(_ name: String) -> RawJSON? {
    json.member(name).flatMap { $0.kind == .number || $0.kind == .string ? $0 : nil }
  }
}
