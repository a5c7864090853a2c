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
    Field(nullable: "key", \.key, "Which page: what the page before named as its next; null for the first."),
    Field("at", \.position, "In place of a key: the position of the page's first item, from 0."),
    Field("around", \.around, "In place of a key: the id of an item that the page should hold."),
    Field(flattening: \.criteria),
    Field("size", \.size, "How many items the page should have."))
}

/// The parameters of `source/page`.
package struct SourcePageParams: Record {
  package let source: String
  package let request: PageRequest

  package static let fields = Fields(
    SourcePageParams.init,
    Field("source", \.source, "The name of the source that is asked."), Field(flattening: \.request))

  package init(source: String, _ request: PageRequest) { (self.source, self.request) = (source, request) }

  /// What the answer must be.
  package static var resultSchema: JSONSchema {
    var items = JSONSchema(type: .array)
    items.items = JSONSchema(type: .object)
    return JSONSchema(properties: [
      JSONSchema.Property("items", items.described("The page's items, each with its id.")),
      JSONSchema.Property(
        "next", JSONSchema().described("The key of the next page; null or absent where there is none."),
        isRequired: false),
      JSONSchema.Property(
        "previous", JSONSchema().described("The key of the page before; null or absent where there is none."),
        isRequired: false),
      JSONSchema.Property(
        "total", JSONSchema(type: .integer).described("How many items there are in all."), isRequired: false),
      JSONSchema.Property(
        "exact", JSONSchema(type: .boolean).described("False where the total is estimated."), isRequired: false),
      JSONSchema.Property(
        "position", JSONSchema(type: .integer).described("The position of the page's first item, from 0."),
        isRequired: false),
      JSONSchema.Property(
        "state", JSONSchema(type: .string).described("The state that it was read at."), isRequired: false),
    ])
  }
}

/// The parameters of `source/item`.
package struct SourceItemParams: Record {
  package let source: String
  package let id: ItemID

  package init(source: String, id: ItemID) { (self.source, self.id) = (source, id) }

  package static let fields = Fields(
    SourceItemParams.init,
    Field("source", \.source, "The name of the source that is asked."),
    Field("id", \.id, "The item's id."))

  /// What the answer must be.
  package static var resultSchema: JSONSchema {
    JSONSchema(properties: [
      JSONSchema.Property("item", JSONSchema(type: .object).described("The whole item, with its id."))
    ])
  }
}
