public import Nagare
internal import Paging

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
public struct Viewport: Record, Sendable {
  /// The first of them, from 0.
  public let start: Int
  /// The one after the last.
  public let end: Int

  /// Its members on the wire.
  public static let fields = Fields(
    Viewport.init,
    Field("start", \.start, "The first row in sight, from 0."),
    Field("end", \.end, "The row after the last in sight."))

  var range: Range<Int> {
    get throws(Refusal) {
      if start >= 0, end >= start { return start..<end }
      throw Refusal(
        "end", mustBe: "the row after the last in sight, no less than \"start\", and both 0 or more", not: self)
    }
  }
}

/// The value of the `state` output: what made the newest load begin, how far it has come, and how many items there are.
struct LoadState: Record, OutputValue, Equatable {
  let trigger: LoadTrigger
  let phase: LoadPhase
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
  init(_ list: Paged<RawJSON>) { self.init(trigger: list.trigger, phase: list.phase, count: list.count) }
}
