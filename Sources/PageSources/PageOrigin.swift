internal import ItemList
internal import Paging
internal import WireJSON

/// The start of a page, for sources whose items have a fixed order.
enum PageOrigin: Equatable {
  /// At the item that has this many items before it. It comes from a page's key.
  case from(Int)
  /// At a position.
  case at(Int)
  /// Before the item that has this many items before it.
  case before(Int)
  /// Around an item.
  case around(ItemID)

  /// Reads the origin from a request.
  init(_ request: PageRequest, in source: String) throws(LoadFailure) {
    if let id = request.around {
      self = .around(id)
    } else if let position = request.position {
      self = .at(position)
    } else if let key = request.key, !key.isNull {
      let (before, at) = (key.member("before"), key.member("at"))
      guard let number = (before ?? at ?? key).int, number >= 0 else { throw LoadFailure(noPage: key, in: source) }
      self = before != nil ? .before(number) : at != nil ? .at(number) : .from(number)
    } else {
      self = .from(0)
    }
  }

  /// The page's key; nil for a page around an item.
  var key: RawJSON? {
    switch self {
    case .from(let number): number.json
    case .at(let number): ["at": number].json
    case .before(let number): ["before": number].json
    case .around: nil
    }
  }
}

extension LoadFailure {
  /// The failure if the source has no page with a key.
  init(noPage key: RawJSON, in source: String) {
    self.init(
      .malformedResponse, "\(source) has no page \(key.text); a page's key is the number of items before it")
  }

  /// The failure if the source has no item with an id.
  init(noItem id: ItemID, in source: String) {
    self.init(.noSuchItem, "\(source) has no item \(id); it may have been removed")
  }
}
