internal import ItemList
internal import Paging
internal import WireJSON

/// Where a page lies, as sources with items in a fixed order have it.
enum PageOrigin: Equatable {
  /// From the item on that has so many before it, as a page's key says it.
  case from(Int)
  /// From a position on.
  case at(Int)
  /// Up to the item that has so many before it.
  case before(Int)
  /// Around an item.
  case around(ItemID)

  /// What a request asks for.
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

  /// The key of the page here; nil for one around an item, which has none.
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
  /// A key isn't one of a source's.
  init(noPage key: RawJSON, in source: String) {
    self.init(
      .malformedResponse, "\(source) has no page \(key.text); a page's key is the number of items before it")
  }

  /// There is no item with an id.
  init(noItem id: ItemID, in source: String) {
    self.init(.noSuchItem, "\(source) has no item \(id); it may have been there before")
  }
}
