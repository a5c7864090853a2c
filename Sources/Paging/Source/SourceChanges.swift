public import ItemList
public import WireJSON

/// What has changed in a source: one `source/changed`, or the answer to a `source/watch`.
///
/// A list takes all changes of one in one step, in their order.
public struct SourceChanges<Item> {
  /// The state that the changes follow; nil for a source that keeps no states, whose changes always apply.
  public var since: String?
  /// The state that they lead to.
  public var state: String?
  /// How many items the source has in all from now on; nil where it doesn't say.
  public var total: Int?
  /// Whether so much has changed that the list is to be read again.
  public var isEverything: Bool
  /// What was wrong with changes that were left out; the others count.
  public var failures: [LoadFailure]
  private(set) var rows: [RowChange]

  /// Changes of rows, in the order in which they apply.
  ///
  /// - Parameters:
  ///   - changes: the changes; none in the answer that nothing has happened.
  ///   - since: the state that they follow; nil for a source that keeps no states.
  ///   - state: the state that they lead to.
  ///   - total: how many items the source has in all from now on; nil where it doesn't say.
  ///   - failures: what was wrong with changes that were left out.
  public init(
    _ changes: [Change] = [], since: String? = nil, state: String? = nil, total: Int? = nil,
    failures: [LoadFailure] = []
  ) {
    (self.since, self.state, self.total, self.failures) = (since, state, total, failures)
    isEverything = false
    rows = changes.map(\.row)
  }

  /// So much has changed since a state that the list is to be read again, where the user is.
  public static func everything(since: String? = nil, state: String? = nil, total: Int? = nil) -> SourceChanges {
    var changes = SourceChanges(since: since, state: state, total: total)
    changes.isEverything = true
    return changes
  }

  /// Roughly how many bytes they take.
  var cost: Int {
    let states = [since, state].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    return rows.reduce(RowChange.ownCost + states) { $0 + $1.cost }
  }

  /// The ids of the items that have gone.
  var goneIDs: Set<ItemID> {
    rows.reduce(into: []) { gone, row in
      if case .remove(let id, _) = row { gone.insert(id) } else { gone.remove(row.id) }
    }
  }

  /// The same, whatever the type of the items.
  var untyped: SourceChanges<RawJSON> {
    var changes = SourceChanges<RawJSON>(since: since, state: state, total: total)
    (changes.isEverything, changes.rows) = (isEverything, rows)
    return changes
  }

  /// One change of a row.
  public struct Change {
    var row: RowChange

    /// The same with the position of its item among all, which places it where rows aren't read: of one that is put in the
    /// position that it has then, of one that goes the position that it had.
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
  /// Changes of items that are there as JSON. Those that aren't of the type are left out, and are failures.
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
  /// An item is listed at a place; one that is listed already moves there.
  public static func insert(_ item: ItemList.Item, _ place: RowPlace = .ordered) -> Self {
    Self(row: .insert(item, place, position: nil))
  }

  /// An item is another than the one with its id was.
  public static func change(_ item: ItemList.Item) -> Self { Self(row: .change(item)) }

  /// The item with an id is gone.
  public static func remove(_ id: ItemID) -> Self { Self(row: .remove(id, position: nil)) }
}

extension SourceChanges.Change where Item: Codable & Identifiable, Item.ID: Encodable {
  /// An item is listed at a place; one that is listed already moves there.
  public static func insert(_ item: Item, _ place: RowPlace = .ordered) throws(ItemFailure) -> Self {
    Self(row: .insert(try Items.row(item), place, position: nil))
  }

  /// An item is another than the one with its id was.
  public static func change(_ item: Item) throws(ItemFailure) -> Self { Self(row: .change(try Items.row(item))) }

  /// The item with an id is gone.
  public static func remove(_ id: Item.ID) -> Self? {
    Items<Item>.itemID(id).map { Self(row: .remove($0, position: nil)) }
  }
}
