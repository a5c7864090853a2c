public import Nagare

/// A change of a source.
public struct SourceChange: JSONEncodable, Sendable {
  let json: RawJSON

  /// Reports an item that is new or has moved: to before or after another item, or to the end. Without a position the
  /// `order` in the configuration places the item; without an `order` it comes first.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - before: the id of the item after it.
  ///   - after: the id of the item before it.
  ///   - atEnd: whether it is the last item.
  ///   - position: the number of items before it, if it is known. It helps lists that haven't loaded the item's
  ///     neighbours.
  /// - Returns: the change.
  public static func insert(
    _ item: some JSONEncodable, before: ItemID? = nil, after: ItemID? = nil, atEnd: Bool = false, position: Int? = nil
  ) -> SourceChange {
    let members = [
      "insert": item.json, "before": before?.raw, "after": after?.raw, "at": atEnd ? "end".json : nil,
      "position": position?.json,
    ]
    return SourceChange(json: members.compactMapValues(\.self).json)
  }

  /// Reports a new version of an item.
  ///
  /// - Parameter item: the item.
  /// - Returns: the change.
  public static func change(_ item: some JSONEncodable) -> SourceChange {
    SourceChange(json: ["change": item.json].json)
  }

  /// Reports that the item with an id was removed.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - position: the number of items before it, if it is known. It helps lists that haven't loaded the item.
  /// - Returns: the change.
  public static func remove(_ id: ItemID, position: Int? = nil) -> SourceChange {
    SourceChange(json: ["remove": id.raw, "position": position?.json].compactMapValues(\.self).json)
  }

  /// Writes the change as JSON.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }
}
