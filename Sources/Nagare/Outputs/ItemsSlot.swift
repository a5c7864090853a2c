public import Flow
public import ItemList
internal import RPC
internal import WireJSON

/// An output of a list: sent whole, or as splices to a client that keeps its own copy.
///
/// What was sent last is a version of the list and costs nothing to keep; the splices are the difference between that
/// and the newest, so a client that reads slowly gets one notification for any number of changes.
final class ItemsSlot: OutputSlot {
  private let stream: Observable<ItemList>
  private var newest = ItemList()
  /// The list at the end of the last step, and how often it had changed by then.
  private var current = ItemList()
  private var revision = 0
  /// The list as the client has it.
  private var sent = ItemList()
  private var sentRevision = 0
  /// What turns the one into the other, where just one step lies between them.
  private var unsent: [ItemList.Splice]?

  init(_ name: String, _ stream: Observable<ItemList>, schema: @autoclosure @escaping () -> JSONSchema) {
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
    var splices = JSONSchema(type: .array).described("In place of the value: what turns the base into it, in order.")
    splices.items = JSONSchema(properties: [
      JSONSchema.Property("start", count("Where it applies, as those before left the list.")),
      JSONSchema.Property("deleteCount", count("How many items go.")),
      JSONSchema.Property("items", schema.described("The items that come.")),
    ])
    return [
      JSONSchema.Property("revision", count("Grows with every change.")),
      JSONSchema.Property("base", count("With deltas: the revision that the splices apply to."), isRequired: false),
      JSONSchema.Property("count", count("With deltas: how many items there are."), isRequired: false),
      JSONSchema.Property("splices", splices, isRequired: false),
    ]
  }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] list in
        guard !list.isIdentical(to: newest) else { return }
        newest = list
        touch()
      })
  }

  override func sendEvents(by outbox: Outbox) -> Bool {
    guard !newest.isIdentical(to: current) else { return false }
    let splices = ItemList.splices(from: current, to: newest)
    current = newest
    guard !splices.isEmpty else { return false }
    unsent = revision == sentRevision ? splices : nil
    revision += 1
    return true
  }

  override func resetSent() {
    current = newest
    sent = current
    sentRevision = revision
    unsent = nil
  }

  override func writeCurrentMembers(to writer: inout JSONWriter) {
    writer.key("value")
    write(0..<current.count, to: &writer)
    writer.member("revision", revision)
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
    writer.member("count", current.count)
    writer.key("splices")
    writer.beginArray()
    for splice in unsent ?? ItemList.splices(from: sent, to: current) {
      writer.beginObject()
      writer.member("start", splice.start)
      writer.member("deleteCount", splice.deleteCount)
      writer.key("items")
      write(splice.items, to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private func write(_ range: Range<Int>, to writer: inout JSONWriter) {
    writer.beginArray()
    current.forEachRun(in: range) { writer.raw($0) }
    writer.endArray()
  }
}

extension ItemList: OutputValue {
  /// Makes an output that says a list.
  public static func makeSlot(named name: String, for stream: Observable<ItemList>) -> OutputSlot {
    var schema = JSONSchema(type: .array)
    schema.items = JSONSchema(type: .object).titled("Item")
    return ItemsSlot(name, stream, schema: schema)
  }
}

extension Items: OutputValue {
  /// Makes an output that says the items, as splices to a client that takes these.
  public static func makeSlot(named name: String, for stream: Observable<Items>) -> OutputSlot {
    var schema = JSONSchema(type: .array)
    schema.items = JSONSchema(of: Element.self)
    return ItemsSlot(name, stream.map(\.list), schema: schema)
  }
}
