import WireJSON

@testable import ItemList

/// An item as the tests speak of it: an id and a value.
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

/// A page as a source would send it: items with something between them.
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
  /// A list of one page.
  init(_ ids: some Sequence<Int>, labelGap: Int64 = 1 << 32) {
    self.init(labelGap: labelGap)
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

/// The result of applying splices between two lists to the contents of the first.
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
  /// What is wrong with the tree or the index, in words.
  func faults() -> [String] {
    var faults: [String] = []
    var lastLabel = Int64.min
    func visit(_ node: ItemNode, isRoot: Bool) -> (count: Int, height: Int, label: Int64) {
      switch node.body {
      case .leaf(let leaf):
        if node.label <= lastLabel { faults.append("label \(node.label) after \(lastLabel)") }
        lastLabel = node.label
        if leaf.count == 0 || leaf.count > ItemLeaf.capacity { faults.append("a leaf of \(leaf.count)") }
        if leaf.count != node.count { faults.append("a leaf of \(leaf.count) counted as \(node.count)") }
        if Set(leaf.entries.map(\.buffer)) != Set((0..<leaf.buffers.count).map { UInt16($0) }) {
          faults.append("a leaf with a buffer that it doesn't use")
        }
        let (used, kept) = (leaf.entries.reduce(0) { $0 + $1.size + 1 }, leaf.buffers.reduce(0) { $0 + $1.count })
        if 7 * kept > 8 * used { faults.append("a leaf that keeps \(kept) bytes for \(used) of items") }
        if index.table.label(ofLeaf: node.number) != node.label {
          faults.append("leaf \(node.number) has another label")
        }
        return (leaf.count, 0, node.label)
      case .branch(let branch):
        let children = branch.children.map { visit($0, isRoot: false) }
        let count = children.reduce(0) { $0 + $1.count }
        if node.count != count { faults.append("a branch of \(count) counted as \(node.count)") }
        if children.isEmpty || children.count > ItemBranch.capacity || (isRoot && children.count == 1) {
          faults.append("a branch with \(children.count) children")
        }
        if children.contains(where: { $0.height != branch.height - 1 }) { faults.append("leaves at unequal depth") }
        if node.label != children.first?.label { faults.append("a branch with another label than its first leaf") }
        return (count, branch.height, node.label)
      }
    }
    if let root = tree.root { _ = visit(root, isRoot: true) }
    if let tail = tree.tail { _ = visit(tail, isRoot: true) }
    if tree.tail == nil, tree.root != nil { faults.append("no last leaf") }
    if case .branch = tree.tail?.body { faults.append("a branch for a last leaf") }
    return faults
  }
}

extension ItemList {
  /// How many branches the tree has.
  var branchCount: Int {
    func count(_ node: ItemNode) -> Int {
      guard case .branch(let branch) = node.body else { return 0 }
      return branch.children.reduce(1) { $0 + count($1) }
    }
    return tree.root.map(count) ?? 0
  }
}
