public import ItemList
public import WireJSON

/// The items that an edit of many is for: some, or all that is looked for but some.
public struct MarkedItems: Sendable {
  /// Those that are meant; those that aren't, if all others are.
  public let ids: [ItemID]
  /// What is looked for where all of it is meant but ``ids``; nil where these are meant.
  public let all: Criteria?
  /// The state of the source that the user saw when all of it was meant; nil if the source keeps no states. What came in later
  /// wasn't in sight.
  public let state: String?

  /// Some items, or all that is looked for but some.
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

  /// Its members on the wire.
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
  /// An object with the members of another in place of its own, and behind them those that are new.
  package func merging(_ other: RawJSON) -> RawJSON {
    let own = Set(members.map(\.key))
    var values: [WireText: RawJSON] = [:]
    for (name, value) in other.members { values[name] = value }
    let changed = members.map { (name: $0.key.string, value: values[$0.key] ?? $0.value) }
    let added = other.members.filter { !own.contains($0.key) }.map { (name: $0.key.string, value: $0.value) }
    return RawJSON(members: changed + added)
  }
}
