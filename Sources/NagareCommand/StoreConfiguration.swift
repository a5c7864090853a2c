internal import HTTPSettings
internal import Flow
internal import Nagare
internal import RPC
internal import WireJSON

/// The configuration of the stores: objects whose fields are the keys, with their first values.
struct StoreConfigurations: JSONValue, Sendable {
  let keys: [StoreKey]
  private let places: [WireText: Int]

  init(_ keys: [StoreKey] = []) {
    self.keys = keys
    places = Dictionary(keys.indices.map { (WireText(keys[$0].path), $0) }) { first, _ in first }
  }

  init(json: RawJSON) throws(DecodingFailure) {
    var context = DecodingContext()
    guard let value = Self.decode(json, in: &context), context.failures.isEmpty else {
      throw context.failures.first ?? DecodingFailure(expected: "an object", in: json)
    }
    self = value
  }

  static func decode(_ json: RawJSON, in context: inout DecodingContext) -> StoreConfigurations? {
    guard let stores = members(of: json, in: &context) else { return nil }
    var keys: [StoreKey] = []
    for (store, json) in stores {
      context.within(store) { context in
        for (name, first) in members(of: json, in: &context) ?? [] {
          keys.append(StoreKey(store: store, name: name, first: first))
        }
      }
    }
    return StoreConfigurations(keys)
  }

  /// Returns the fields of an object. Reports names that can't be part of a path, and repeated names.
  private static func members(of json: RawJSON, in context: inout DecodingContext) -> [(String, RawJSON)]? {
    guard context.expect(.object, json) else { return nil }
    var members: [(String, RawJSON)] = []
    var names: Set<WireText> = []
    for (name, value) in json.members {
      if name == "" || name.string.utf8.contains(UInt8(ascii: ".")) {
        let expected = "a name without a dot, because screens refer to a key as \"STORE.KEY\""
        context.report(DecodingFailure(expected: expected, in: value, path: [name.string]))
      }
      if !names.insert(name).inserted {
        context.report(DecodingFailure(expected: "given once", in: value, path: [name.string]))
      }
      members.append((name.string, value))
    }
    return members
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (index, first) in keys.enumerated() where index == 0 || !isSameStore(keys[index - 1], first) {
      writer.key(first.store)
      writer.beginObject()
      for key in keys[index...].prefix(while: { isSameStore($0, first) }) {
        writer.key(key.name)
        key.first.write(to: &writer)
      }
      writer.endObject()
    }
    writer.endObject()
  }

  static var schema: JSONSchema {
    var store = JSONSchema(type: .object)
    store.additionalProperties = RawJSON.schema.described("The initial value of the key.")
    var schema = JSONSchema(type: .object)
    schema.additionalProperties = store
    return schema
  }

  /// Whether two keys belong to the same store. The keys of a store are consecutive.
  private func isSameStore(_ key: StoreKey, _ other: StoreKey) -> Bool { WireText(key.store) == WireText(other.store) }

  subscript(path: String) -> StoreKey? { places[WireText(path)].map { keys[$0] } }
}

extension Configuration {
  /// The actions that each key handles: one named after its path, and those of the screens with choices for it.
  var actions: [WireText: [String]] {
    var actions: [WireText: [String]] = [:]
    func add(_ action: String, to path: String) {
      let others = actions[WireText(path)] ?? []
      // A key handles only a few actions. A set of them would cost each start 180,000 instructions.
      if !others.contains(where: { WireText($0) == WireText(action) }) { actions[WireText(path)] = others + [action] }
    }
    for key in stores.keys { add(key.path, to: key.path) }
    for case (_, .choice(let choice)) in screens.values { add(choice.actionType, to: choice.store.name) }
    return actions
  }

  /// The keys that handle each action.
  var takers: [WireText: [StoreKey]] {
    let actions = actions
    return stores.keys.reduce(into: [:]) { takers, key in
      for action in actions[WireText(key.path)] ?? [] { takers[WireText(action), default: []].append(key) }
    }
  }

  /// Reports a list's query that follows a key which doesn't exist or doesn't hold a valid query.
  func checkQuery(_ key: Reference, of screen: String, in context: inout DecodingContext) {
    let path = ["screens", screen, "query", "store"]
    guard let known = stores[key.name] else { return reportUnknown(key, at: path, in: &context) }
    if !known.takes("".json) {
      let expected = "a key that holds a string; \"\(known.path)\" holds \(known.expectation)"
      context.report(DecodingFailure(expected: expected, in: key.json, path: path))
    } else if !known.first.isNull, (try? QueryText(json: known.first)) == nil {
      let expected = "a key whose first value is \(QueryText.expectation)"
      context.report(DecodingFailure(expected: expected, in: key.json, path: path))
    }
  }

  /// Reports mistakes in a list's filters: keys that don't exist, and filters that the source doesn't support.
  func check(
    _ filters: OrderedMembers<ValueOrStoreKey<RawJSON>>, by source: Reference, of screen: String,
    in context: inout DecodingContext
  ) {
    for (name, filter) in filters.values {
      let path = ["screens", screen, "filters", name]
      switch (filter, sources[source.name]) {
      case (.following(let key), _) where stores[key.store.name] == nil:
        reportUnknown(key.store, at: path + ["store"], in: &context)
      case (.value(let value), .file) where name == "sort" && !value.isNull:
        let expected =
          "left out: the items of a file can't be sorted; use a source of the type \"command\" whose program sorts"
        context.report(DecodingFailure(expected: expected, in: value, path: path))
      case (_, .http(let http)) where !http.url.names(filter: name):
        let expected = "a filter that the source's \"url\" has, as {filter.\(name)}"
        let place = if case .value(let value) = filter { value } else { filter.reference?.json ?? .null }
        context.report(DecodingFailure(expected: expected, in: place, path: path))
      default: break
      }
    }
  }

  private func reportUnknown(_ key: Reference, at path: [String], in context: inout DecodingContext) {
    let known = stores.keys.map { "\"\($0.path)\"" }
    let expected =
      known.isEmpty
      ? "a key of a store among 'stores'; there are none"
      : "a key of a store, \(alternatives(known)), not \"\(key.name)\""
        + suggestion(for: key.name, in: stores.keys.map(\.path), quote: "'")
    context.report(DecodingFailure(expected: expected, in: key.json, path: path))
  }

  /// Reports a choice whose store's key doesn't exist, and ids that the key can't hold.
  func check(
    _ choice: ChoiceConfiguration, of screen: String, _ takers: [WireText: [StoreKey]],
    in context: inout DecodingContext
  ) {
    if stores[choice.store.name] == nil {
      reportUnknown(choice.store, at: ["screens", screen, "store"], in: &context)
    }
    let takers = takers[WireText(choice.actionType)] ?? []
    for (index, item) in choice.choices.enumerated() {
      let path = ["screens", screen, "choices", "[\(index)]"]
      for key in takers where !key.takes(item.id.raw) {
        let expected = "a choice whose id is \(key.expectation), because \"\(key.path)\" accepts nothing else"
        context.report(DecodingFailure(expected: expected, in: item.json, path: path))
      }
    }
    context.within("screens") { $0.within(screen) { $0.within("choices") { choice.choices.checkIDs(in: &$0) } } }
  }
}

extension [ChoiceItem] {
  /// Reports an id that an earlier choice has.
  func checkIDs(in context: inout DecodingContext) {
    var ids: Set<ItemID> = []
    for (index, item) in enumerated() where !ids.insert(item.id).inserted {
      let expected = "a choice with a unique id; \(item.id) is used already"
      context.report(DecodingFailure(expected: expected, in: item.json, path: ["[\(index)]"]))
    }
  }
}
