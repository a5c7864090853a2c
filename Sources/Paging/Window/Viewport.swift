package import Flow
public import WireJSON

/// The rows in sight, as a frontend reports them: the parameters of an input `viewport`.
///
/// ```swift
/// let viewport = Port<Viewport>()
/// // …
/// state.on(input.viewport) { try $0.tickets.show($1) }
/// ```
public struct Viewport: Record, Sendable {
  /// The position of the first row in sight, from 0.
  public let start: Int
  /// The position after the last row in sight.
  public let end: Int
  /// The revision of `items` that the positions refer to; nil for the newest.
  public let revision: Int?

  /// The fields on the wire.
  public static let fields = Fields(
    Viewport.init,
    Field("start", \.start, "The position of the first row in sight, from 0."),
    Field("end", \.end, "The position after the last row in sight."),
    Field("revision", \.revision, "In a window: the revision of the items that the positions refer to."))

  /// Creates a viewport. Invalid positions are refused only when the viewport is used.
  public init(start: Int, end: Int, revision: Int? = nil) {
    (self.start, self.end, self.revision) = (start, end, revision)
  }

  /// The range of rows in the newest published list. Throws if the positions aren't a range, or if the revision was
  /// never published.
  package func range(in list: ListSnapshot) throws(Refusal) -> Range<Int> {
    guard start >= 0, end >= start else {
      throw Refusal(
        "end", mustBe: "the position after the last row in sight, at least \"start\", which is 0 or more", not: self
      )
    }
    guard list.window == nil || 0...list.revision ~= revision ?? 0 else {
      throw Refusal("revision", mustBe: "a revision that \"items\" has had, at most \(list.revision)", not: self)
    }
    return start..<end
  }
}
