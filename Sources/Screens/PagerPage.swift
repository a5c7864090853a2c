public import Nagare
internal import Paging
public import WireJSON

/// The row that a pager shows. The pager reports it to a list with a window.
struct Showing {
  let pager: AnyObject
  let row: ShownRow?
}

/// The value of a pager's output `page`: the current item, and its position.
public struct PagerPage: Record, SharedValue {
  /// The item's id; null if its row isn't loaded.
  public internal(set) var id: RawJSON
  /// The item's position in the list, from 0; nil if it isn't listed.
  public internal(set) var index: Int?
  /// How many items are listed.
  public internal(set) var count = 0
  /// The item; null if it is neither listed nor loaded.
  public internal(set) var item = RawJSON.null
  /// Whether there is a previous row.
  public internal(set) var hasPrevious = false
  /// Whether there is a next row.
  public internal(set) var hasNext = false
  /// Whether the source has more items than are listed, or rows that aren't loaded follow.
  public internal(set) var hasMore = false
  /// Whether `item` is the full item; false if it is the row. Nil if the screen doesn't request full items.
  public internal(set) var whole: Bool?

  init(
    id: RawJSON, index: Int? = nil, count: Int = 0, item: RawJSON = .null, hasPrevious: Bool = false,
    hasNext: Bool = false, hasMore: Bool = false, whole: Bool? = nil
  ) {
    (self.id, self.index, self.count, self.item) = (id, index, count, item)
    (self.hasPrevious, self.hasNext, self.hasMore, self.whole) = (hasPrevious, hasNext, hasMore, whole)
  }

  /// The fields in JSON.
  public static let fields = Fields(
    PagerPage.init(id:index:count:item:hasPrevious:hasNext:hasMore:whole:),
    Field("id", \.id, "The id of the item; null if its row isn't loaded."),
    Field(nullable: "index", \.index, "The position of the item in the list, from 0; null if it isn't listed."),
    Field("count", \.count, "The number of listed items."),
    Field("item", \.item, "The item; null if it is neither listed nor loaded."),
    Field("hasPrevious", \.hasPrevious, "Whether there is a previous item to swipe to."),
    Field("hasNext", \.hasNext, "Whether there is a next item to swipe to."),
    Field("hasMore", \.hasMore, "Whether the source has more items than the list, or rows follow that aren't loaded."),
    Field("whole", \.whole, "Whether the item is full, if the screen requests full items. Otherwise it is the row."))

  /// An object that has all fields. Only `whole` may be missing.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("PagerPage")
      .described("The item that a pager shows, and its position.")
    // The Swift type is any JSON, because the id is written exactly as in the item. In the schema it is an id or null.
    schema.properties[0].schema.types = ItemID.schema.types + [.null]
    // The field is always present, even if it is null.
    schema.properties[1].isRequired = true
    schema.properties[3].schema.types = [.object, .null]
    schema.properties[3].schema.title = "Item"
    return schema
  }
}
