public import ItemList
public import WireJSON

/// What a source of pages is asked.
public struct PageRequest: Record, Sendable {
  /// Which page: the key that the page before named as its next; nil for the first.
  public var key: RawJSON?
  /// The position of the page's first item, from 0, where it is asked for by that; its source has positions.
  public var position: Int?
  /// An item that the page should hold, where it is asked for by that.
  public var around: ItemID?
  /// Which of the source's items it is a page of.
  public var criteria: Criteria
  /// How many items the page should have.
  public var size: Int

  /// What to look for; nil for everything.
  public var query: String? { criteria.query }
  /// What to filter and sort by; nil where nothing is.
  public var filters: Filters? { criteria.filters }

  /// Asks for a page.
  public init(key: RawJSON? = nil, query: String? = nil, filters: Filters? = nil, size: Int) {
    self.init(key: key, Criteria(query: query, filters: filters), size: size)
  }

  /// Asks for a page.
  public init(key: RawJSON? = nil, _ criteria: Criteria, size: Int) {
    self.init(key: key, position: nil, around: nil, criteria: criteria, size: size)
  }

  private init(key: RawJSON?, position: Int?, around: ItemID?, criteria: Criteria, size: Int) {
    (self.key, self.position, self.around, self.criteria, self.size) = (key, position, around, criteria, size)
  }

  /// Its members on the wire.
  public static let fields = Fields<PageRequest>(
    PageRequest.init(key:position:around:criteria:size:),
    Field(nullable: "key", \.key, "The key of the page, as the page before it named it; null for the first page."),
    Field("at", \.position, "In place of a key: the position of the first item of the page, from 0."),
    Field("around", \.around, "In place of a key: the id of an item that the page must have."),
    Field(flattening: \.criteria),
    Field("size", \.size, "The number of items that the page should have."))
}
