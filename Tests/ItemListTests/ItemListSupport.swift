import WireJSON

@testable import ItemList

/// An item of a test: an id and a value.
struct Sample: Equatable {
  var id: Int
  var value: Int

  init(_ id: Int, _ value: Int = 0) {
    self.id = id
    self.value = value
  }

  var text: String { #"{"id":"\#(id)","value":\#(value)}"# }
  var rawID: String { #""\#(id)""# }
}

/// A page as a source would send it: items with a separator between them.
func page(_ samples: [Sample], separator: String = ",") -> RawItems {
  var bytes = Array("[".utf8)
  var slices: [RawItems.Slice] = []
  for sample in samples {
    if !slices.isEmpty { bytes += separator.utf8 }
    let start = UInt32(bytes.count)
    bytes += sample.text.utf8
    slices.append(
      RawItems.Slice(
        start: start, length: UInt32(bytes.count) - start, idStart: start + 6, idLength: UInt32(sample.rawID.utf8.count)
      ))
  }
  bytes += "]".utf8
  return RawItems(bytes: bytes, slices: slices)
}

func page(_ ids: some Sequence<Int>, value: Int = 0) -> RawItems { page(ids.map { Sample($0, value) }) }

func item(_ id: Int, _ value: Int = 0) -> ItemList.Item { ItemList.Item(page([Sample(id, value)]), at: 0) }

extension ItemList {
  /// Creates a list of one page.
  init(_ ids: some Sequence<Int>, keyGap: Int64 = 1 << 32) {
    self.init(keyGap: keyGap)
    append(page(ids))
  }

  var texts: [String] { map { String(decoding: $0.bytes, as: UTF8.self) } }

  var ids: [Int] { map { Int(String(decoding: $0.rawID.dropFirst().dropLast(), as: UTF8.self)) ?? -1 } }

  func position(of id: Int) -> Int? {
    let bytes = Array(Sample(id).rawID.utf8)
    return index(ofRawID: bytes.span)
  }

  mutating func remove(_ id: Int) -> Int? {
    let bytes = Array(Sample(id).rawID.utf8)
    return remove(rawID: bytes.span)
  }
}

/// Applies splices to the contents of an old list.
func applied(_ splices: [ItemList.Splice], to old: [String], itemsOf new: ItemList) -> [String] {
  var result = old
  for splice in splices {
    result.replaceSubrange(
      splice.start..<splice.start + splice.deleteCount,
      with: new[splice.items].lazy.map { String(decoding: $0.bytes, as: UTF8.self) })
  }
  return result
}

extension ItemList {
  /// The faults of the tree and the index, as sentences.
  func faults() -> [String] {
    var faults: [String] = []
    var lastKey: Int64?
    func visit(_ leaf: LeafItems) {
      if leaf.count == 0 || leaf.count > ItemLeaf.capacity { faults.append("a leaf of \(leaf.count)") }
      for offset in 0..<leaf.count {
        let key = leaf.entries[offset].key
        if let lastKey, key <= lastKey { faults.append("key \(key) after \(lastKey)") }
        lastKey = key
        var search = index.table.search(for: leaf.idHash(at: offset))
        var isKnown = false
        while let known = index.table.nextKey(&search) { isKnown = isKnown || known == key }
        if !isKnown { faults.append("the index doesn't know the item at \(key)") }
      }
      let used = leaf.entries.reduce(0) { $0 + $1.size + 1 }
      let kept = leaf.keptBytes.reduce(0, +)
      if 7 * kept > 8 * used { faults.append("a leaf that keeps \(kept) bytes for \(used) of items") }
    }
    func visit(_ node: ItemNode, isRoot: Bool) {
      if let leaf = node.leaf {
        visit(leaf.items)
        if node.key != leaf.items.firstKey { faults.append("a leaf with another key than its first item") }
        if node.count != leaf.items.count { faults.append("a leaf of \(leaf.items.count) counted as \(node.count)") }
        return
      }
      node.children.forEach { visit($0, isRoot: false) }
      let count = node.children.reduce(0) { $0 + $1.count }
      if node.count != count { faults.append("a branch of \(count) counted as \(node.count)") }
      if node.children.isEmpty || node.children.count > ItemNode.capacity || (isRoot && node.children.count == 1) {
        faults.append("a branch with \(node.children.count) children")
      }
      if Set(node.children.map(\.height)).count > 1 { faults.append("leaves at unequal depth") }
      if node.key != node.children.first?.key { faults.append("a branch with another key than its first leaf") }
    }
    if !isEmpty { visit(root, isRoot: true) }
    return faults
  }

  /// The number of branches in the tree.
  var branchCount: Int {
    func count(_ node: ItemNode) -> Int { node.leaf == nil ? node.children.reduce(1) { $0 + count($1) } : 0 }
    return count(root)
  }

  /// The number of hints that the index has for an id.
  func hints(of id: [UInt8]) -> Int {
    var search = index.table.search(for: ItemID.hash(of: id.span))
    var count = 0
    while index.table.nextKey(&search) != nil { count += 1 }
    return count
  }
}
