internal import ItemList

/// A map from the ids of items to values. Its operations cost as much as those of a ``NumberMap``.
struct ItemIDMap<Value> {
  /// The values by the hashes of their ids. Collisions are rare, and nobody can cause them on purpose, because the
  /// hashes are seeded.
  private var buckets = NumberMap<[(id: ItemID, value: Value)]>()

  /// Creates an empty map.
  init() {}

  var isEmpty: Bool { buckets.isEmpty }

  /// The value for an id.
  subscript(id: ItemID) -> Value? {
    get { buckets[Self.number(of: id)]?.first { $0.id == id }?.value }
    set {
      let number = Self.number(of: id)
      var bucket = buckets[number] ?? []
      bucket.removeAll { $0.id == id }
      if let newValue { bucket.append((id, newValue)) }
      buckets[number] = bucket.isEmpty ? nil : bucket
    }
  }

  /// The value for an id, or a default value if there is none.
  subscript(id: ItemID, default value: @autoclosure () -> Value) -> Value {
    get { self[id] ?? value() }
    set { self[id] = newValue }
  }

  private static func number(of id: ItemID) -> UInt { UInt(bitPattern: id.hashValue) }
}
