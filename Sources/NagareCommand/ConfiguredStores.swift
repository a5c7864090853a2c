internal import Flow
internal import Nagare
internal import RPC
internal import WireJSON

/// The value of a store's key.
struct StoreValue: Equatable {
  let json: RawJSON

  static func == (left: StoreValue, right: StoreValue) -> Bool { left.json.isEquivalent(to: right.json) }
}

/// The stores of a configuration, one for each key. A key handles the action that is named after its path, and the
/// actions of the screens with choices for it.
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

  /// Returns the values of a key, the current one first.
  func values(of path: String) -> Driver<RawJSON>? { stores[WireText(path)]?.state.map(\.json) }

  /// Returns the values of a key as texts, the current one first. Null becomes an empty text.
  func texts(of path: String) -> Driver<WireText>? { values(of: path)?.map { $0.wireText ?? "" } }
}
