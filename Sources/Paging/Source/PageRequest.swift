public import ItemList
public import WireJSON

/// A request for one page of a source.
///
/// The page is requested by ``key``, or by ``position``, or by ``around``: at most one of them is set.
public struct PageRequest: Record, Sendable {
  /// The key of the page: the `next` or `previous` of another page; nil for the first page.
  public var key: RawJSON?
  /// The position of the page's first item, from 0, if the page is requested by its position. Only sources with
  /// positions receive this.
  public var position: Int?
  /// The id of an item that the page must contain, if the page is requested by an item.
  public var around: ItemID?
  /// Which of the source's items are requested.
  public var criteria: Criteria
  /// The requested number of items. The page may have more or fewer.
  public var size: Int

  /// The query; nil for everything.
  public var query: String? { criteria.query }
  /// The filters and the order; nil for none.
  public var filters: Filters? { criteria.filters }

  /// Creates a request for a page by its key.
  public init(key: RawJSON? = nil, query: String? = nil, filters: Filters? = nil, size: Int) {
    self.init(key: key, Criteria(query: query, filters: filters), size: size)
  }

  /// Creates a request for a page by its key.
  public init(key: RawJSON? = nil, _ criteria: Criteria, size: Int) {
    self.init(key: key, position: nil, around: nil, criteria: criteria, size: size)
  }

  private init(key: RawJSON?, position: Int?, around: ItemID?, criteria: Criteria, size: Int) {
    (self.key, self.position, self.around, self.criteria, self.size) = (key, position, around, criteria, size)
  }

  /// The fields on the wire.
  public static let fields = Fields<PageRequest>(
    PageRequest.init(key:position:around:criteria:size:),
    Field(nullable: "key", \.key, "The key of the page, as the page before it named it; null for the first page."),
    Field("at", \.position, "In place of a key: the position of the first item of the page, from 0."),
    Field("around", \.around, "In place of a key: the id of an item that the page must have."),
    Field(flattening: \.criteria),
    Field("size", \.size, "The number of items that the page should have."))
}
