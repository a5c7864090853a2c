internal import Nagare
internal import Paging

/// The row that a pager shows, for a list that is seen through a window.
struct Showing {
  let pager: AnyObject
  let row: ShownRow?
}

/// The value of the `page` output: the item that is shown, and what lies around it.
struct PagerPage: Record, SharedValue {
  var id: RawJSON
  var index: Int?
  var count = 0
  var item = RawJSON.null
  var hasPrevious = false
  var hasNext = false
  var hasMore = false
  var whole: Bool?

  static let fields = Fields(
    PagerPage.init(id:index:count:item:hasPrevious:hasNext:hasMore:whole:),
    Field("id", \.id, "The item's id; null where its row isn't read."),
    Field(nullable: "index", \.index, "The item's place in the list, from 0; null where it isn't listed."),
    Field("count", \.count, "How many items are listed."),
    Field("item", \.item, "The item; null where it is neither listed nor there yet."),
    Field("hasPrevious", \.hasPrevious, "Whether a swipe to the previous goes to an item."),
    Field("hasNext", \.hasNext, "Whether a swipe to the next goes to an item."),
    Field("hasMore", \.hasMore, "Whether the source has more items than are listed, or rows that aren't read follow."),
    Field("whole", \.whole, "Whether the item is whole, where the screen asks for whole items: else it is the row."))

  static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("PagerPage")
      .described("The item that a pager shows, and what lies around it.")
    // It is written as it stands in the item, and an id all the same.
    schema.properties[0].schema.types = ItemID.schema.types + [.null]
    // Null or not, it is always there.
    schema.properties[1].isRequired = true
    schema.properties[3].schema.types = [.object, .null]
    schema.properties[3].schema.title = "Item"
    return schema
  }
}
