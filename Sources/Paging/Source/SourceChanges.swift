public import ItemList
public import WireJSON

/// Reported changes of a source: one `source/changed`, or the result of a `source/watch`.
///
/// A list applies all changes of one report in one step, in their order.
public struct SourceChanges<Item> {
  /// The state of the source before the changes; nil if the source has no states. Such changes always apply.
  public var since: String?
  /// The state after the changes.
  public var state: String?
  /// The number of the source's items after the changes; nil if unknown.
  public var total: Int?
  /// Whether the source changed too much to list the changes, so that lists must reload.
  public var isEverything: Bool
  /// The failures of changes that were left out.
  public var failures: [LoadFailure]
  private(set) var rows: [RowChange]

  /// Creates a report of changes.
  ///
  /// - Parameters:
  ///   - changes: the changes, in the order in which they apply. Empty in the answer to a watch if nothing has changed.
  ///   - since: the state before the changes; nil if the source has no states.
  ///   - state: the state after the changes.
  ///   - total: the number of the source's items after the changes; nil if unknown.
  ///   - failures: the failures of changes that were left out.
  public init(
    _ changes: [Change] = [], since: String? = nil, state: String? = nil, total: Int? = nil,
    failures: [LoadFailure] = []
  ) {
    (self.since, self.state, self.total, self.failures) = (since, state, total, failures)
    isEverything = false
    rows = changes.map(\.row)
  }

  /// Creates a report that too much has changed. Lists reload the rows in sight.
  public static func everything(since: String? = nil, state: String? = nil, total: Int? = nil) -> SourceChanges {
    var changes = SourceChanges(since: since, state: state, total: total)
    changes.isEverything = true
    return changes
  }

  /// The approximate size in bytes.
  var cost: Int {
    let states = [since, state].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return rows.reduce(RowChange.ownCost + states) { $0 + $1.cost }
  }

  /// The ids of the items that were removed.
  var goneIDs: Set<ItemID> {
    rows.reduce(into: []) { gone, row in
      if case .remove(let id, _) = row { gone.insert(id) } else { gone.remove(row.id) }
    }
  }

  /// The same changes, independent of the type of the items.
  var untyped: SourceChanges<RawJSON> {
    var changes = SourceChanges<RawJSON>(since: since, state: state, total: total)
    (changes.isEverything, changes.rows) = (isEverything, rows)
    return changes
  }

  /// One change of a row.
  public struct Change {
    var row: RowChange

    /// The same change with the item's position among all items: the new position of an inserted item, or the former
    /// position of a removed item. It determines the row if the rows around it aren't loaded.
    public func at(_ position: Int?) -> Change {
      switch row {
      case .insert(let item, let place, _): Change(row: .insert(item, place, position: position))
      case .remove(let id, _): Change(row: .remove(id, position: position))
      case .change: self
      }
    }
  }
}

extension SourceChanges where Item: Codable & Identifiable, Item.ID: Encodable {
  /// Creates a report with typed items from one with JSON. Items that can't be decoded are left out and reported as
  /// failures.
  public init(reading changes: SourceChanges<RawJSON>) {
    self.init(since: changes.since, state: changes.state, total: changes.total, failures: changes.failures)
    isEverything = changes.isEverything
    rows = changes.rows.filter { change in
      guard let item = change.item else { return true }
      do throws(DecodingFailure) {
        _ = try item.json.decode(Item.self)
        return true
      } catch {
        failures.append(LoadFailure(.badRecord, "the \(Item.self) \(change.id) was left out: \(error.message)"))
        return false
      }
    }
  }
}

extension SourceChanges.Change where Item == RawJSON {
  /// An item was inserted at a place. An item that is listed already moves there.
  public static func insert(_ item: ItemList.Item, _ place: RowPlace = .ordered) -> Self {
    Self(row: .insert(item, place, position: nil))
  }

  /// An item replaced the item with the same id.
  public static func change(_ item: ItemList.Item) -> Self { Self(row: .change(item)) }

  /// The item with an id was removed.
  public static func remove(_ id: ItemID) -> Self { Self(row: .remove(id, position: nil)) }
}

extension SourceChanges.Change where Item: Codable & Identifiable, Item.ID: Encodable {
  /// An item was inserted at a place. An item that is listed already moves there. Throws if the item can't be listed.
  public static func insert(_ item: Item, _ place: RowPlace = .ordered) throws(ItemFailure) -> Self {
    Self(row: .insert(try Items.row(item), place, position: nil))
  }

  /// An item replaced the item with the same id. Throws if the item can't be listed.
  public static func change(_ item: Item) throws(ItemFailure) -> Self { Self(row: .change(try Items.row(item))) }

  /// The item with an id was removed. Nil if the id isn't a string or a number in JSON.
  public static func remove(_ id: Item.ID) -> Self? {
    Items<Item>.itemID(id).map { Self(row: .remove($0, position: nil)) }
  }
}
