public import Flow
public import ItemList
internal import RPC
internal import WireJSON

/// Sends a list: the whole list, or splices to a client that keeps a copy.
///
/// It keeps the version of the list that was sent last, which costs no memory for a copy. Splices are computed from
/// that version and the newest one. So a client that reads slowly receives one notification for any number of changes.
final class ItemsSlot: OutputSlot {
  private let stream: Observable<ListSnapshot>
  private var newest = ListSnapshot()
  /// The list at the end of the last step, and its revision.
  private var current = ListSnapshot()
  private var revision = 0
  /// The list as it was sent last, and its revision.
  private var sent = ListSnapshot()
  private var sentRevision = 0
  /// The splices from `sent` to `current`, if exactly one step lies between them; else nil.
  private var unsent: [ItemList.Splice]?

  init(_ name: String, _ stream: Observable<ListSnapshot>, schema: @autoclosure @escaping () -> JSONSchema) {
    self.stream = stream
    super.init(name, schema: schema())
  }

  override var kind: OutputKind { .list }

  override var memberSchemas: [JSONSchema.Property] {
    func count(_ description: String) -> JSONSchema {
      var schema = Int.schema.described(description)
      schema.minimum = 0
      return schema
    }
    var splices = JSONSchema(type: .array).described(
      "The changes, in order, that turn the base revision into this one. They replace the value.")
    splices.items = JSONSchema(properties: [
      JSONSchema.Property("start", count("The position in the list, after the splices before this one.")),
      JSONSchema.Property("deleteCount", count("How many items are removed.")),
      JSONSchema.Property("items", schema.described("The items that are inserted.")),
    ])
    return [
      JSONSchema.Property("revision", count("The version of the list, which grows with each change.")),
      JSONSchema.Property("base", count("With deltas: the revision to which the splices apply."), isRequired: false),
      JSONSchema.Property("start", count("In a window: the position of its first item."), isRequired: false),
      JSONSchema.Property(
        "count", count("With deltas, and in a window: the number of items in the list."), isRequired: false),
      JSONSchema.Property(
        "exact", Bool.schema.described("In a window: whether the number of items is exact."), isRequired: false),
      JSONSchema.Property("splices", splices, isRequired: false),
    ]
  }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] list in
        guard !list.isSameVersion(as: newest) else { return }
        newest = list
        touch()
      })
  }

  override func sendEvents(by outbox: Outbox) -> Bool {
    guard !newest.isSameVersion(as: current) else { return false }
    let splices = ListSnapshot.splices(from: current, to: newest)
    let isElsewhere = !newest.hasSamePlace(as: current)
    current = newest
    guard !splices.isEmpty || isElsewhere else { return false }
    unsent = revision == sentRevision ? splices : nil
    // A window's snapshot counts revisions, too, and a client's `viewport` may name an earlier one. So the revision
    // sent is never lower than the snapshot's.
    revision = max(revision + 1, current.revision)
    return true
  }

  override func resetSent() {
    current = newest
    sent = current
    revision = max(revision, current.revision)
    sentRevision = revision
    unsent = nil
  }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    write(0..<current.count, to: &writer)
    writer.member("revision", revision)
    if current.window != nil { writePlace(to: &writer) }
  }

  override func writeNewest(to writer: inout JSONWriter) -> Bool {
    guard revision != sentRevision else { return false }
    writeNotification(to: &writer) { writer in
      if view?.takesDeltas ?? false { writeDelta(to: &writer) } else { writeCurrentMembers(to: &writer) }
    }
    sent = current
    sentRevision = revision
    unsent = nil
    return true
  }

  private func writeDelta(to writer: inout JSONWriter) {
    writer.member("base", sentRevision)
    writer.member("revision", revision)
    if current.window == nil { writer.member("count", current.count) } else { writePlace(to: &writer) }
    writer.key("splices")
    writer.beginArray()
    for splice in unsent ?? ListSnapshot.splices(from: sent, to: current) {
      writer.beginObject()
      writer.member("start", splice.start)
      writer.member("deleteCount", splice.deleteCount)
      writer.key("items")
      write(splice.items, to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  /// Writes the window's first position, and the number of rows in the list.
  private func writePlace(to writer: inout JSONWriter) {
    writer.member("start", current.window?.lowerBound ?? 0)
    writer.member("count", current.list.count)
    writer.member("exact", current.isExact)
  }

  private func write(_ range: Range<Int>, to writer: inout JSONWriter) {
    writer.beginArray()
    current.forEachRun(in: range) { writer.raw($0) }
    writer.endArray()
  }
}

extension ItemsSlot {
  /// The schema of a list of any objects.
  fileprivate static var schema: JSONSchema {
    var schema = JSONSchema(type: .array)
    schema.items = JSONSchema(type: .object).titled("Item")
    return schema
  }
}

extension ItemList: Versioned {
  /// Whether two lists are the same version. O(1).
  public func isSameVersion(as other: ItemList) -> Bool { isIdentical(to: other) }
}

extension ItemList: OutputValue {
  /// Creates an output that sends a list.
  public static func makeSlot(named name: String, for stream: Observable<ItemList>) -> OutputSlot {
    ItemsSlot(name, stream.map { ListSnapshot($0) }, schema: ItemsSlot.schema)
  }
}

extension ListSnapshot: OutputValue {
  /// Creates an output that sends a list, or a window of it.
  public static func makeSlot(named name: String, for stream: Observable<ListSnapshot>) -> OutputSlot {
    ItemsSlot(name, stream, schema: ItemsSlot.schema)
  }
}

extension Items: OutputValue {
  /// Creates an output that sends the items, as splices to clients that accept them.
  public static func makeSlot(named name: String, for stream: Observable<Items>) -> OutputSlot {
    var schema = JSONSchema(type: .array)
    schema.items = JSONSchema(of: Element.self)
    return ItemsSlot(name, stream.map { ListSnapshot($0.list) }, schema: schema)
  }
}
