public import Nagare

// What a list makes of the inputs that carry something.

extension List {
  /// What an item must be, in words that follow "must be".
  var itemWords: String { "an object with its id at \"\(settings.id)\", a string or a number" }

  /// An item of what was sent; nil if it has no usable id.
  func item(_ json: RawJSON) -> ItemList.Item? { ItemList.Item(json, id: settings.id) }

  /// The ids that are listed; others are refused.
  func listed(_ port: Port<ItemID>, in feed: Observable<ListState>) -> Observable<ItemID> {
    port.accepting("id", as: "the id of a listed item", given: feed) { id, list in list.items.contains(id) ? id : nil }
  }

  /// What the rows in sight ask for.
  func viewport(_ input: Input, _ feed: Observable<ListState>) -> Observable<ListState.Trigger> {
    input.viewport
      .accepting("end", as: "the row after the last in sight, no less than \"start\", and both 0 or more") { rows in
        rows.start >= 0 && rows.end >= rows.start ? rows : nil
      }
      .withLatestFrom(feed) { rows, list in list.wish(in: rows, prefetch: settings.prefetch) }
      .compactMap { $0 }
  }

  /// The items to put in.
  func insertions(_ input: Input, _ feed: Observable<ListState>) -> Observable<ListState.Step> {
    input.insert.accepting(given: feed) { insertion, list throws(RPCError) in
      guard let item = item(insertion.item) else { throw RPCError("item", mustBe: itemWords) }
      if let next = insertion.before, !list.items.contains(next) {
        throw RPCError("before", mustBe: "the id of a listed item", not: next)
      }
      return .inserted(item, before: insertion.before)
    }
  }

  /// The items to take out, once the user agrees where the screen asks for that.
  func removals(_ input: Input, _ feed: Observable<ListState>) -> Observable<ListState.Step> {
    let ids = listed(input.remove, in: feed)
    guard let question = settings.confirmRemoval else { return ids.map { .removed($0) } }
    return ids.flatMapFirst { id in
      input.present(.confirm(question)).map { .removed(id) }
        .catch { .just(.stumbled(Failure($0, trigger: "remove"))) }
    }
  }
}

/// The parameters of `insert`.
public struct Insertion: Record {
  /// The item.
  public let item: RawJSON
  /// The item that it is to stand before; nil for the first place.
  public let before: ItemID?

  /// Its members on the wire.
  public static let fields = Fields(
    Insertion.init,
    Field("item", \.item, "The item, an object with its id."),
    Field("before", \.before, "The item that it is to stand before; the first where nothing is said."))
}

/// The parameters of `viewport`: the rows that are in sight.
public struct Viewport: Record {
  /// The first of them, from 0.
  public let start: Int
  /// The one after the last.
  public let end: Int

  /// Its members on the wire.
  public static let fields = Fields(
    Viewport.init,
    Field("start", \.start, "The first row in sight, from 0."),
    Field("end", \.end, "The row after the last in sight."))
}

/// The value of the `state` output: what made the newest load begin, how far it has come, and how many items there are.
struct LoadState: Record, OutputValue, Equatable {
  let trigger: ListState.Trigger
  let phase: ListState.Phase
  let count: Int

  static let fields = Fields(
    LoadState.init(trigger:phase:count:),
    Field("trigger", \.trigger, "What made the newest load begin."),
    Field("phase", \.phase, "How far it has come."),
    Field("count", \.count, "How many items are listed."))

  static var schema: JSONSchema {
    JSONSchema(properties: fields.properties).titled("LoadState")
      .described("How far the newest load of a list has come.")
  }
}

extension LoadState {
  init(_ state: ListState) { self.init(trigger: state.trigger, phase: state.phase, count: state.items.count) }
}
