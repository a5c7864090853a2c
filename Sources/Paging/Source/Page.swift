public import ItemList
public import WireJSON

/// A page of items, and where the next one is: the result of `source/page`.
///
/// Items are held as their bytes, whatever their type is; those of a `Page<RawJSON>` are taken as they are.
public struct Page<Item>: Sendable {
  /// The items, as their bytes.
  public var items: RawItems
  /// The key of the next page; nil where there is none.
  public var next: RawJSON?
  /// Whether more items may follow later, although there is no next page: the page is loaded again, under its own key, when
  /// the user reaches the end. A list whose source gives positions has a total that isn't exact instead.
  public var isOpen = false
  /// The key of the page before; nil where there is none.
  public var previous: RawJSON?
  /// How many items the source has in all, where it knows.
  public var total: Int?
  /// Whether that is just so many, and no estimate.
  public var isTotalExact = true
  /// The position of the first item among all, where the source knows.
  public var position: Int?
  /// The state of the source that the page was read at, where it keeps any.
  public var state: String?
  /// What was wrong with records that were left out; the rest of the page counts.
  public var failures: [LoadFailure]

  /// A page. It is inlined, because finding out the type of a page at run time costs 300 instructions.
  @inlinable
  public init(
    items: RawItems, next: RawJSON? = nil, previous: RawJSON? = nil, total: Int? = nil, state: String? = nil,
    failures: [LoadFailure] = []
  ) {
    self.items = items
    self.next = next
    self.previous = previous
    self.total = total
    self.state = state
    self.failures = failures
  }
}
