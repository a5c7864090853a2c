internal import Flow
internal import Nagare
internal import RPC
internal import WireJSON

/// The value of a store's key.
struct StoreValue: Equatable {
  let json: RawJSON

  static func == (left: StoreValue, right: StoreValue) -> Bool { left.json.isEquivalent(to: right.json) }
}

/// The stores at work: one for each key, which takes the action named by its path and those of the screens that choose
/// for it.
struct ConfiguredStores {
  private var stores: [WireText: Store<StoreValue>] = [:]

  init(_ configuration: Configuration, on dispatcher: Dispatcher) {
    let queries = Set(configuration.screens.values.compactMap { $0.value.followedKey.map { WireText($0.name) } })
    let actions = configuration.actions
    for key in configuration.stores.keys {
      let store = Store(StoreValue(json: key.first), on: dispatcher)
      let path = WireText(key.path)
      let isQuery = queries.contains(path)
      for action in actions[path] ?? [] {
        store.taking(action) { json throws(DecodingFailure) in
          guard key.takes(json) else { throw DecodingFailure(expected: "\(key.expectation) or null", in: json) }
          if isQuery, !json.isNull { _ = try QueryText(json: json) }
          return StoreValue(json: json)
        } _: { value, newValue in
          value = newValue
        }
      }
      stores[path] = store
    }
  }

  /// What a key holds, and comes to hold.
  func values(of path: String) -> Driver<RawJSON>? { stores[WireText(path)]?.state.map(\.json) }

  /// What a key holds, and comes to hold; the empty text for null.
  func texts(of path: String) -> Driver<WireText>? { values(of: path)?.map { $0.wireText ?? "" } }
}
