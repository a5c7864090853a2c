/// A leaf and where it stands in a tree.
struct ItemLeafPlace {
  let leaf: ItemLeaf
  let label: Int64
  let number: UInt32
  /// The position in the list of the leaf's first item.
  let start: Int
  /// The label of the leaf after it.
  let nextLabel: Int64?

  /// The position after its last item.
  var end: Int { start + leaf.count }
}

extension ItemNode {
  /// What a leaf is looked for by.
  private enum Target {
    case label(Int64)
    case position(Int)
  }

  /// Looks for the leaf under which a label belongs.
  ///
  /// - Parameters:
  ///   - label: The label.
  ///   - start: The position in the list of this node's first item.
  ///   - nextLabel: The label of the leaf after all of these.
  /// - Returns: The leaf; its label may be a lower one.
  func place(label: Int64, start: Int, nextLabel: Int64?) -> ItemLeafPlace {
    place(.label(label), start: start, nextLabel: nextLabel)
  }

  /// Looks for the leaf that holds the item at a position.
  ///
  /// - Parameters:
  ///   - position: The position.
  ///   - start: The position in the list of this node's first item.
  ///   - nextLabel: The label of the leaf after all of these.
  /// - Returns: The leaf; the last one for a position at the end.
  func place(position: Int, start: Int, nextLabel: Int64?) -> ItemLeafPlace {
    place(.position(position), start: start, nextLabel: nextLabel)
  }

  /// The last leaf, for a node whose first item has a position in the list.
  func place(start: Int) -> ItemLeafPlace {
    place(.position(start + count), start: start, nextLabel: nil)
  }

  private func place(_ target: Target, start: Int, nextLabel: Int64?) -> ItemLeafPlace {
    switch body {
    case .leaf(let leaf):
      return ItemLeafPlace(leaf: leaf, label: label, number: number, start: start, nextLabel: nextLabel)
    case .branch(let branch):
      let (position, itemsBefore) =
        switch target {
        case .label(let label): branch.child(label: label)
        case .position(let position): branch.child(offset: position - start, of: count)
        }
      let next = position + 1 < branch.children.count ? branch.children[position + 1].label : nextLabel
      return branch.children[position].place(target, start: start + itemsBefore, nextLabel: next)
    }
  }
}
