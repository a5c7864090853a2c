internal import ItemList
internal import WireJSON

/// One edit of a list.
struct ListEdit {
  /// What is done to the item.
  enum Change {
    /// It is put in before another, first where that is nil or isn't listed; where it is listed itself, in its own place.
    case insertion(ItemList.Item, before: ItemID?)
    /// It is another from now on.
    case replacement
    /// It is taken out.
    case removal
  }

  /// Which of the list's edits it is: the later, the higher.
  let number: Int
  /// Which item.
  let id: ItemID
  /// What is done to it.
  let change: Change

  var isInsertion: Bool { if case .insertion = change { true } else { false } }
  var isRemoval: Bool { if case .removal = change { true } else { false } }
  var isReplacement: Bool { if case .replacement = change { true } else { false } }
}

/// The edits of one item that are no part of the source's rows yet, by their numbers.
struct EditHistory {
  /// The edits that take it out.
  var removals = NumberMap<Void>()
  /// The edits that put it in.
  var insertions = NumberMap<Void>()
  /// The edits that say what it is: those that put it in, and those that change it.
  var contents = NumberMap<Void>()
  /// The edits that put another item before it.
  var anchored = NumberMap<Void>()
  /// Whether the source has let it go. Pages that hold it all the same are older than that.
  var isGone = false

  /// Whether nothing is to be known of it.
  var isEmpty: Bool { !isGone && !isEdited && anchored.isEmpty }

  /// Whether there are edits of the item itself.
  var isEdited: Bool { !removals.isEmpty || !contents.isEmpty }

  /// Where the item is, once the edits before one are carried out: it stays where it stands when it is put in again,
  /// and stands where it is put in first after it was taken out. Nil where it isn't listed.
  func place(of id: ItemID, isRow: Bool, before number: UInt = .max) -> ItemPlaces.Place? {
    let removal = removals.last(before: number)?.number
    if removal == nil, isRow { return .row(id) }
    guard let insertion = insertions.first(after: removal ?? 0)?.number, insertion < number else { return nil }
    return .insertion(insertion)
  }

  /// The first edit after one for which the item may be elsewhere than it is for that.
  func end(of number: UInt, isListed: Bool) -> UInt {
    let next = [removals.first(after: number - 1), isListed ? nil : insertions.first(after: number - 1)]
    return next.compactMap { $0.map { $0.number + 1 } }.min() ?? .max
  }

  /// The newest of the item's own edits that are older than one.
  func newestEdit(before number: UInt) -> UInt? {
    [removals, contents].compactMap { $0.last(before: number)?.number }.max()
  }
}

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
