public import Nagare

/// One page of items (section 6 of the specification).
public struct SourcePage: Sendable {
  let json: RawJSON

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any JSON value; nil if this is the last page.
  ///   - previous: the key of the previous page, for a list that begins in the middle of the source.
  ///   - total: the number of items in the source, if it is known.
  ///   - isExact: whether `total` is exact and not an estimate.
  ///   - position: the number of items before the page, if it is known.
  ///   - state: the source's state when the items were read, for a live source that keeps states.
  ///   - isOpen: whether more items may follow this last page later. Then reaching the bottom requests the page again.
  public init<Item: JSONEncodable>(
    _ items: some Sequence<Item>, next: (any JSONEncodable)? = nil, previous: (any JSONEncodable)? = nil,
    total: Int? = nil, isExact: Bool = true, position: Int? = nil, state: String? = nil, isOpen: Bool = false
  ) {
    self.init(
      items: Array(items).json, next: next?.json, previous: previous?.json, total: total,
      isExact: isExact, position: position, state: state, isOpen: isOpen)
  }

  /// Creates a page.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any value; nil if this is the last page.
  ///   - previous: the key of the previous page, for a list that begins in the middle of the source.
  ///   - total: the number of items in the source, if it is known.
  ///   - isExact: whether `total` is exact and not an estimate.
  ///   - position: the number of items before the page, if it is known.
  ///   - state: the source's state when the items were read, for a live source that keeps states.
  ///   - isOpen: whether more items may follow this last page later. Then reaching the bottom requests the page again.
  /// - Throws: an `EncodingFailure` if a value can't be encoded as JSON.
  public init<Item: Encodable>(
    _ items: some Sequence<Item>, next: (any Encodable)? = nil, previous: (any Encodable)? = nil, total: Int? = nil,
    isExact: Bool = true, position: Int? = nil, state: String? = nil, isOpen: Bool = false
  ) throws(EncodingFailure) {
    func written(_ key: (any Encodable)?) throws(EncodingFailure) -> RawJSON? {
      guard let key else { return nil }
      return try RawJSON(encoding: key)
    }
    self.init(
      items: try RawJSON(encoding: Array(items)), next: try written(next), previous: try written(previous),
      total: total,
      isExact: isExact, position: position, state: state, isOpen: isOpen)
  }

  private init(
    items: RawJSON, next: RawJSON?, previous: RawJSON?, total: Int?, isExact: Bool, position: Int?, state: String?,
    isOpen: Bool
  ) {
    let members = [
      "items": items, "next": next, "previous": previous, "total": total?.json,
      "exact": isExact ? nil : false.json, "position": position?.json, "state": state?.json,
      "open": isOpen ? true.json : nil,
    ]
    json = members.compactMapValues(\.self).json
  }
}
