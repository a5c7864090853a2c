internal import WireJSON

/// A key stored as two halves. This way, structures that contain it need an alignment of four bytes only, and no
/// padding.
struct PackedKey {
  private var high: Int32 = 0
  private var low: UInt32 = 0

  init(_ value: Int64 = 0) { self.value = value }

  @inline(__always) var value: Int64 {
    get { Int64(high) << 32 | Int64(low) }
    set { (high, low) = (Int32(truncatingIfNeeded: newValue >> 32), UInt32(truncatingIfNeeded: newValue)) }
  }
}

/// The keys of adjacent items, at equal distances.
struct ItemKeys {
  let first: Int64
  let step: Int64

  /// Creates keys after a given key.
  init(after key: Int64, step: Int64) { (first, self.step) = (key &+ step, step) }

  /// Creates a number of keys before a given key.
  init(_ count: Int, before key: Int64, step: Int64) { (first, self.step) = (key &- step &* Int64(count), step) }

  subscript(number: Int) -> Int64 { first &+ Int64(number) &* step }

  /// The index of a key among the first `count` keys; nil if it isn't one of them.
  func number(of key: Int64, among count: Int) -> Int? {
    guard count > 0, key >= first else { return nil }
    let (number, rest) = UInt64(bitPattern: key &- first).quotientAndRemainder(dividingBy: UInt64(step))
    return rest == 0 && number < count ? Int(number) : nil
  }
}

extension ItemList {
  /// Keys for items that are inserted at a position. If there are too few keys between the neighbours, some neighbours
  /// receive other keys first.
  mutating func keys(for count: Int, at position: Int) -> ItemKeys {
    let (before, after) = isEmpty ? (0, nil) : keys(around: position..<position)
    let between = Self.step(for: count, between: before ?? .min, and: after ?? .max)
    guard between > 0 else {
      makeRoom(for: count, at: position)
      return keys(for: count, at: position)
    }
    switch (before, after) {
    case (let before, nil): return ItemKeys(after: before ?? 0, step: Swift.min(gap, between))
    case (nil, let after?): return ItemKeys(count, before: after, step: Swift.min(gap, between))
    case (let before?, let after?):
      // After insertions at one place, more are likely next to the last one. So the new keys are close to each other,
      // which leaves room.
      let (first, last) = keys(around: position - 1..<position + 1)
      let distanceBefore = first.map { UInt64(bitPattern: before &- $0) } ?? .max
      let distanceAfter = last.map { UInt64(bitPattern: $0 &- after) } ?? .max
      if distanceBefore == distanceAfter { return ItemKeys(after: before, step: between) }
      let step = Swift.min(Self.close, between)
      return distanceBefore < distanceAfter
        ? ItemKeys(after: before, step: step) : ItemKeys(count, before: after, step: step)
    }
  }

  /// The smallest distance between keys, if there is room.
  private static var close: Int64 { 1 << 16 }

  /// The keys of the items directly before and after a range.
  private func keys(around range: Range<Int>) -> (before: Int64?, after: Int64?) {
    var place: ItemNode.LeafPosition?
    func key(at position: Int) -> Int64? {
      guard indices.contains(position) else { return nil }
      // Usually both items are in the same leaf.
      if place.map({ position >= $0.start + $0.leaf.items.count }) ?? true { place = root.place(at: position) }
      return place.map { $0.leaf.items.entries[position - $0.start].key }
    }
    return (key(at: range.lowerBound - 1), key(at: range.upperBound))
  }

  /// The largest possible distance between keys that lie between two other keys.
  private static func step(for count: Int, between before: Int64, and after: Int64) -> Int64 {
    Int64(UInt64(bitPattern: after &- before) / UInt64(count + 1))
  }

  /// Gives new keys to items around a position, so that `count` more keys fit between any two of them. It changes as
  /// few items as possible, because each must be added to the index again.
  private mutating func makeRoom(for count: Int, at position: Int) {
    var range = position..<position
    var keys: ItemKeys
    repeat {
      range = Swift.max(0, position - range.count - 32)..<Swift.min(self.count, position + range.count + 32)
      let (before, after) = self.keys(around: range)
      let (lowest, highest) = (before ?? .min / 2, after ?? .max / 2)
      keys = ItemKeys(
        after: lowest, step: lowest < highest ? Self.step(for: range.count, between: lowest, and: highest) : 0)
    } while range.count < self.count && keys.step < Self.close + Int64(count)
    own()
    var next = range.lowerBound
    while next < range.upperBound {
      version.update(at: next) { run, offset in
        let end = Swift.min(run.count, offset + range.upperBound - next)
        run.setKeys(keys, in: offset..<end, from: next - range.lowerBound)
        next += end - offset
      }
    }
    let leaves = leaves(of: range)
    reserve(leaves.reduce(0) { $0 + $1.leaf.items.count })
    for place in leaves { index.table.insert(place.leaf.items) }
  }
}
