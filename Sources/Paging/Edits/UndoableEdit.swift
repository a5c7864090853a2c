public import ItemList
public import WireJSON

/// An edit that the user can undo: it is listed, and the source isn't asked for it yet.
public struct UndoableEdit: Record, Equatable, Sendable {
  /// How many items it edits; nil if nobody knows.
  public let count: Int?
  /// The kind of the edit: `remove` or `change`, whatever the view model's input is called.
  public let input: String
  /// The items; nil if ``all`` are edited.
  public let ids: [ItemID]?
  /// True if all items are edited but ``except``.
  public let all: Bool?
  /// The items that aren't edited if all others are.
  public let except: [ItemID]?
  /// For how long it can be undone, from when it was made.
  public let milliseconds: Milliseconds

  /// An edit of some items.
  init(_ ids: [ItemID], by input: String, for milliseconds: Milliseconds) {
    self.init(count: ids.count, input: input, ids: ids, all: nil, except: nil, milliseconds: milliseconds)
  }

  /// An edit of all items but some.
  init(allBut except: [ItemID], count: Int?, by input: String, for milliseconds: Milliseconds) {
    self.init(count: count, input: input, ids: nil, all: true, except: except, milliseconds: milliseconds)
  }

  private init(count: Int?, input: String, ids: [ItemID]?, all: Bool?, except: [ItemID]?, milliseconds: Milliseconds) {
    (self.count, self.input, self.ids, self.all, self.except) = (count, input, ids, all, except)
    self.milliseconds = milliseconds
  }

  /// Its fields on the wire.
  public static let fields = Fields(
    UndoableEdit.init(count:input:ids:all:except:milliseconds:),
    Field(nullable: "count", \.count, "The number of edited items; null if it isn't known."),
    Field("input", \.input, "The kind of the edit: \"remove\" or \"change\"."),
    Field("ids", \.ids, "The ids of the edited items; absent if all are edited."),
    Field("all", \.all, "True if all items are edited except some."),
    Field("except", \.except, "With \"all\": the ids of the items that aren't edited."),
    Field("milliseconds", \.milliseconds, "How long the edit can be undone after it was made, in milliseconds."))

  /// An object that always has `count`, `input` and `milliseconds`.
  public static var schema: JSONSchema {
    var schema = JSONSchema(properties: fields.properties).titled("UndoableEdit")
      .described("An edit that can be undone. The list shows it, and the source hasn't received it yet.")
    schema.properties[0].isRequired = true
    return schema
  }

  /// The edit with the ids that its items have now.
  func renamed(by sourceIDs: SourceIDs) -> UndoableEdit {
    if sourceIDs.isEmpty { return self }
    func current(_ ids: [ItemID]) -> [ItemID] { ids.map { sourceIDs[$0] } }
    return UndoableEdit(
      count: count, input: input, ids: ids.map(current), all: all, except: except.map(current),
      milliseconds: milliseconds)
  }
}
