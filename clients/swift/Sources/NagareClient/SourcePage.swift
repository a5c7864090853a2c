public import Nagare

/// One page of items, as section 6 of the specification has it.
public struct SourcePage: Sendable {
  let json: RawJSON

  /// A page.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any JSON value; nil at the end.
  ///   - previous: the key of the page before, for a list that begins in the middle.
  ///   - total: how many items there are, if that is known.
  ///   - isExact: whether the total is known; else it is an estimate.
  ///   - position: how many items come before the page, of a source that has positions.
  ///   - state: the state that the items were read at, of a live source that keeps states.
  ///   - isOpen: whether more items may follow this last page later. Then reaching the bottom requests the page again.
  public init<Item: JSONEncodable>(
    _ items: some Sequence<Item>, next: (any JSONEncodable)? = nil, previous: (any JSONEncodable)? = nil,
    total: Int? = nil, isExact: Bool = true, position: Int? = nil, state: String? = nil, isOpen: Bool = false
  ) {
    self.init(
      items: Array(items).json, next: next?.json, previous: previous?.json, total: total,
      isExact: isExact, position: position, state: state, isOpen: isOpen)
  }

  /// A page.
  ///
  /// - Parameters:
  ///   - items: the items.
  ///   - next: the key of the next page, any value; nil at the end.
  ///   - previous: the key of the page before, for a list that begins in the middle.
  ///   - total: how many items there are, if that is known.
  ///   - isExact: whether the total is known; else it is an estimate.
  ///   - position: how many items come before the page, of a source that has positions.
  ///   - state: the state that the items were read at, of a live source that keeps states.
  ///   - isOpen: whether more items may follow this last page later. Then reaching the bottom requests the page again.
  /// - Throws: an `EncodingFailure` if one of them can't be written as JSON.
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
