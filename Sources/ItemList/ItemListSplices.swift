extension ItemList {
  /// One change of a list: some items at a position give way to others.
  public struct Splice: Equatable, Sendable {
    /// The position where it applies, in the list as the splices before left it.
    public let start: Int
    /// How many items go.
    public let deleteCount: Int
    /// Which items come: their positions in the new list. The first is `start`.
    public let items: Range<Int>
  }

  /// What turns one version of a list into another, in time proportional to the changes between them.
  ///
  /// Parts that both versions share are passed over unseen. Lists that have nothing in common give one splice that
  /// replaces all; equal ones give none. An item counts as changed where its bytes differ.
  ///
  /// - Parameters:
  ///   - old: The version to start from.
  ///   - new: The version to arrive at.
  /// - Returns: Splices that apply in order, each to the result of the one before.
  public static func splices(from old: ItemList, to new: ItemList) -> [Splice] {
    var comparison = ItemComparison(old, new)
    comparison.run()
    return comparison.splices
  }
}
