public import ItemList
public import WireJSON

/// An edit that the user can undo. It is listed, and not sent to the source yet.
public struct UndoableEdit: Record, Equatable, Sendable {
  /// How many items are edited; nil if unknown.
  public let count: Int?
  /// The kind of the edit: `remove` or `change`, even if the view model's input has another name.
  public let input: String
  /// The edited items; nil if ``all`` items are edited.
  public let ids: [ItemID]?
  /// True if all items except ``except`` are edited; nil otherwise.
  public let all: Bool?
  /// The items that aren't edited, if all others are; nil otherwise.
  public let except: [ItemID]?
  /// For how long the edit can be undone, counted from when it was made.
  public let milliseconds: Milliseconds

  /// Creates an edit of some items.
  init(_ ids: [ItemID], by input: String, for milliseconds: Milliseconds) {
    self.init(count: ids.count, input: input, ids: ids, all: nil, except: nil, milliseconds: milliseconds)
  }

  /// Creates an edit of all items with some exceptions.
  init(allBut except: [ItemID], count: Int?, by input: String, for milliseconds: Milliseconds) {
    self.init(count: count, input: input, ids: nil, all: true, except: except, milliseconds: milliseconds)
  }

  private init(count: Int?, input: String, ids: [ItemID]?, all: Bool?, except: [ItemID]?, milliseconds: Milliseconds) {
    (self.count, self.input, self.ids, self.all, self.except) = (count, input, ids, all, except)
    self.milliseconds = milliseconds
  }

  /// The fields on the wire.
  public static let fields = Fields(
    UndoableEdit.init(count:input:ids:all:except:milliseconds:),
    Field(nullable: "count", \.count, "The number of edited items; null if it isn't known."),
    Field("input", \.input, "The kind of the edit: \"remove\" or \"change\"."),
    Field("ids", \.ids, "The ids of the edited items; absent if all are edited."),
    Field("all", \.all, "True if all items are edited except some."),
    Field("except", \.except, "With \"all\": the ids of the items that aren't edited."),
    Field("milliseconds", \.milliseconds, "How long the edit can be undone after it was made, in milliseconds."))

  /// An object in which `count`, `input` and `milliseconds` are always present.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("UndoableEdit")
      .described("An edit that can be undone. The list shows it, and the source hasn't received it yet.")
    schema.properties[0].isRequired = true
    return schema
  }

  /// The same edit with the current ids of its items.
  func renamed(by sourceIDs: SourceIDs) -> UndoableEdit {
    if sourceIDs.isEmpty { return self }
    func current(_ ids: [ItemID]) -> [ItemID] { ids.map { sourceIDs[$0] } }
    return UndoableEdit(
      count: count, input: input, ids: ids.map(current), all: all, except: except.map(current),
      milliseconds: milliseconds)
  }
}
