internal import ItemList

/// Values by the ids of items. Costs what a ``NumberMap`` does.
struct ItemIDMap<Value> {
  /// Under the ids' hashes. Two ids seldom have one, and whoever chooses the ids can't make them: `Hashable`'s are seeded.
  private var buckets = NumberMap<[(id: ItemID, value: Value)]>()

  /// A map without values.
  init() {}

  var isEmpty: Bool { buckets.isEmpty }

  /// The value of an id.
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

  /// The value of an id, or what stands for one where there is none.
  subscript(id: ItemID, default value: @autoclosure () -> Value) -> Value {
    get { self[id] ?? value() }
    set { self[id] = newValue }
  }

  private static func number(of id: ItemID) -> UInt { UInt(bitPattern: id.hashValue) }
}
