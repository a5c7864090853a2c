public import ItemList
public import WireJSON

/// A page of items, with the keys of its neighbours: the result of `source/page`.
///
/// Items are stored as JSON bytes, for every type. The items of a `Page<RawJSON>` are used unchanged.
public struct Page<Item>: Sendable {
  /// The items, as JSON bytes.
  public var items: RawItems
  /// The key of the next page; nil if there is none.
  public var next: RawJSON?
  /// Whether more items may follow later, although the page has no next page. The page is then loaded again, by its own
  /// key, when the user reaches the end. It has no effect for a source that gives positions: use a total that isn't
  /// exact instead.
  public var isOpen = false
  /// The key of the page before; nil if there is none.
  public var previous: RawJSON?
  /// The number of the source's items; nil if unknown.
  public var total: Int?
  /// Whether ``total`` is exact, rather than an estimate.
  public var isTotalExact = true
  /// The position of the page's first item among all items, from 0; nil if unknown.
  public var position: Int?
  /// The state of the source at which the page was read; nil if the source has no states.
  public var state: String?
  /// The failures of records that were left out of the page.
  public var failures: [LoadFailure]

  /// Creates a page. It is inlined, because looking up the page's type at run time costs 300 instructions.
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
