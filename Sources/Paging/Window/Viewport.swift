public import Nagare
internal import Paging

/// The parameters of `viewport`: the rows that are in sight.
public struct Viewport: Record, Sendable {
  /// The first of them, from 0.
  public let start: Int
  /// The one after the last.
  public let end: Int
  /// The revision of the `items` that they are meant in; nil for the newest.
  public let revision: Int?

  /// Its members on the wire.
  public static let fields = Fields(
    Viewport.init,
    Field("start", \.start, "The first row in sight, from 0."),
    Field("end", \.end, "The row after the last in sight."),
    Field("revision", \.revision, "In a window: the revision of the items that they are meant in."))

  init(start: Int, end: Int, revision: Int? = nil) { (self.start, self.end, self.revision) = (start, end, revision) }

  /// The rows, of a list that was said so last.
  func range(in list: ListSnapshot) throws(Refusal) -> Range<Int> {
    guard start >= 0, end >= start else {
      throw Refusal(
        "end", mustBe: "the row after the last in sight, no less than \"start\", and both 0 or more", not: self)
    }
    guard list.window == nil || 0...list.revision ~= revision ?? 0 else {
      throw Refusal("revision", mustBe: "one that \"items\" has said, at most \(list.revision)", not: self)
    }
    return start..<end
  }
}
