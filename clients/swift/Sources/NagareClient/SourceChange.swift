public import Nagare

/// One thing that has happened to a source.
public struct SourceChange: JSONEncodable, Sendable {
  let json: RawJSON

  /// An item is there, or stands elsewhere: before or after the one with an id, or last; else where the `order` in the
  /// configuration puts it, and first where there is none.
  ///
  /// - Parameters:
  ///   - item: the item.
  ///   - before: the id of the item before which it stands.
  ///   - after: the id of the item after which it stands.
  ///   - atEnd: whether it is the last one.
  ///   - position: how many items come before it, if that is known: for lists that haven't read its neighbours.
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

  /// An item is another one from now on.
  ///
  /// - Parameter item: the item.
  /// - Returns: the change.
  public static func change(_ item: some JSONEncodable) -> SourceChange {
    SourceChange(json: ["change": item.json].json)
  }

  /// The item with an id is gone.
  ///
  /// - Parameters:
  ///   - id: the id.
  ///   - position: how many items came before it, if that is known: for lists that haven't read it.
  /// - Returns: the change.
  public static func remove(_ id: ItemID, position: Int? = nil) -> SourceChange {
    SourceChange(json: ["remove": id.raw, "position": position?.json].compactMapValues(\.self).json)
  }

  /// Writes the change.
  public func write(to writer: inout JSONWriter) { json.write(to: &writer) }
}
