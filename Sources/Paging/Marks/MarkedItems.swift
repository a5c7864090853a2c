public import ItemList
public import WireJSON

/// The items of an edit of many items: either the named items, or all items that match criteria except the named ones.
public struct MarkedItems: Sendable {
  /// The items, if ``all`` is nil; otherwise the exceptions.
  public let ids: [ItemID]
  /// The criteria, if the edit is for all matching items except ``ids``; nil if it is for these.
  public let all: Criteria?
  /// With ``all``: the state of the source that the user saw. Items that were added later aren't meant. Nil if the
  /// source has no states.
  public let state: String?

  /// Creates a set of items, or of all items that match criteria except some.
  public init(ids: [ItemID], butOf all: Criteria? = nil, at state: String? = nil) {
    (self.ids, self.all, self.state) = (ids, all, state)
  }
}

extension MarkedItems: Record {
  private init(named: [ItemID]?, isAll: Bool?, except: [ItemID]?, query: String?, filters: Filters?, state: String?) {
    self.init(
      ids: named ?? except ?? [], butOf: isAll == true ? Criteria(query: query, filters: filters) : nil, at: state)
  }

  private var named: [ItemID]? { all == nil ? ids : nil }
  private var isAll: Bool? { all == nil ? nil : true }
  private var except: [ItemID]? { all == nil ? nil : ids }

  /// The fields on the wire.
  public static let fields = Fields<MarkedItems>(
    MarkedItems.init(named:isAll:except:query:filters:state:),
    Field("ids", \.named, "The ids of several items, in place of one id."),
    Field("all", \.isAll, "True, in place of ids, for all items that match the query and the filters."),
    Field("except", \.except, "With \"all\": the ids of the excepted items."),
    Field("query", \.all?.query, "With \"all\": the query; by default every item matches."),
    Field("filters", \.all?.filters, "With \"all\": the filters, if there are any."),
    Field(
      "state", \.state, "With \"all\": the state of the source that the user saw; absent if the source has no states."))
}

extension RawJSON {
  /// A copy of the object with the fields of another one. They replace fields of the same names; others are added at
  /// the end.
  package func merging(_ other: RawJSON) -> RawJSON {
    let own = Set(members.map(\.key))
    var values: [WireText: RawJSON] = [:]
    for (name, value) in other.members { values[name] = value }
    let changed = members.map { (name: $0.key.string, value: values[$0.key] ?? $0.value) }
    let added = other.members.filter { !own.contains($0.key) }.map { (name: $0.key.string, value: $0.value) }
    return RawJSON(members: changed + added)
  }
}
