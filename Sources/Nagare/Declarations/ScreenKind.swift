internal import WireJSON

/// The kind of a screen, by which a frontend that serves any app decides how to show it. It follows from the screen's
/// inputs and outputs: the first kind that fits counts (section 3 of the specification, "Kinds of screens").
enum ScreenKind: String {
  case pager, search, list, choice, feed, task, other

  /// The inputs and outputs of a screen.
  struct Ports {
    var inputs: [(name: String, parameters: JSONSchema)]
    var outputs: [(name: String, kind: OutputKind, value: JSONSchema)]
    var isConfigured = false

    func parameters(of input: String) -> [JSONSchema.Property]? {
      inputs.first { $0.name == input }?.parameters.properties
    }

    func isWithoutRequiredParameters(_ input: String) -> Bool {
      parameters(of: input)?.contains(where: \.isRequired) == false
    }

    func has(_ input: String, with parameter: String) -> Bool {
      parameters(of: input)?.contains { $0.name == parameter } == true
    }

    var states: [(name: String, kind: OutputKind, value: JSONSchema)] { outputs.filter { $0.kind != .event } }

    func isArray(_ output: (name: String, kind: OutputKind, value: JSONSchema)) -> Bool {
      output.kind == .list || output.value.types.contains(.array)
    }

    /// The schema of the only array, if the screen's other states are `loading`, `error` and `state` at most; else nil.
    var rows: JSONSchema? {
      let arrays = states.filter(isArray)
      guard arrays.count == 1, let rows = arrays.first else { return nil }
      let others = states.map(\.name).filter { $0 != rows.name }
      return others.allSatisfy(["loading", "error", "state"].contains) ? rows.value : nil
    }
  }

  private static let loadingInputs = ["reachBottom", "reachTop", "loadMore"]
  private static let feedInputs = [
    "viewWillAppear", "viewDidAppear", "appear", "disappear", "refresh", "load", "retry",
  ]

  init(of ports: Ports) {
    func isObject(_ schema: JSONSchema) -> Bool { schema.types.isEmpty || schema.types.contains(.object) }
    if let page = ports.states.first(where: { $0.name == "page" })?.value, isObject(page), Self.isPage(page),
      let parameters = ports.parameters(of: "swipe"), parameters.isEmpty || ports.has("swipe", with: "to")
    {
      self = .pager
    } else if ports.states.contains(where: { $0.name == "items" && ports.isArray($0) }),
      ports.parameters(of: "viewport") != nil || ports.has("select", with: "id")
        || Self.loadingInputs.contains(where: ports.isWithoutRequiredParameters)
    {
      let isSearched = ports.has("search", with: "text") && ports.states.contains { $0.name == "query" }
      self = isSearched ? .search : .list
    } else if ports.rows != nil, Self.isChoice(ports) {
      self = .choice
    } else if let rows = ports.rows, rows.items.map(isObject) ?? true,
      ports.inputs.allSatisfy({ Self.feedInputs.contains($0.name) && ports.isWithoutRequiredParameters($0.name) })
    {
      self = .feed
    } else {
      self = ports.isConfigured ? .task : .other
    }
  }

  private static func isPage(_ page: JSONSchema) -> Bool {
    let names = page.properties.map(\.name)
    return names.isEmpty || ["id", "index", "item"].allSatisfy(names.contains)
  }

  private static func isChoice(_ ports: Ports) -> Bool {
    if let parameters = ports.parameters(of: "choose") { return parameters.count(where: \.isRequired) <= 1 }
    let isLeft = ports.outputs.contains { $0.name == "dismiss" && $0.kind == .event }
    let inputs = ports.inputs.filter { !["appear", "disappear"].contains($0.name) }
    return isLeft && inputs.count == 1 && inputs[0].parameters.properties.count == 1
  }

  /// Explains why a screen isn't shown as the kind that it resembles. Nil if it has a kind, or resembles none.
  static func advice(on ports: Ports) -> String? {
    guard ScreenKind(of: ports) == .other else { return nil }
    if let items = ports.states.first(where: { $0.name == "items" }) {
      guard ports.isArray(items) else {
        return ports.parameters(of: "reachBottom").map { _ in "a list, because its output \"items\" isn't an array" }
      }
      if let select = ports.parameters(of: "select"), !select.isEmpty {
        return "a list, because its input \"select\" has no parameter \"id\""
      }
      if let input = loadingInputs.first(where: { ports.parameters(of: $0) != nil }) {
        return "a list, because its input \"\(input)\" has a required parameter"
      }
    } else if ports.parameters(of: "viewport") != nil, ports.states.contains(where: ports.isArray) {
      return "a list, because its array isn't named \"items\""
    }
    if let page = ports.states.first(where: { $0.name == "page" })?.value, let swipe = ports.parameters(of: "swipe") {
      if !isPage(page) { return "a detail, because its output \"page\" lacks one of \"id\", \"index\" and \"item\"" }
      if !swipe.isEmpty { return "a detail, because its input \"swipe\" has no parameter \"to\"" }
    }
    if let choose = ports.parameters(of: "choose"), ports.states.contains(where: ports.isArray) {
      if choose.count(where: \.isRequired) > 1 {
        return "a choice, because its input \"choose\" has more than one required parameter"
      }
      return "a choice, because it has states besides one array, \"loading\", \"error\" and \"state\""
    }
    return nil
  }
}

extension ScreenKind.Ports {
  init(of screen: Screen) {
    let prototype = screen.prototype
    self.init(
      inputs: prototype.inputs.map { ($0.name, $0.port.parameters) },
      outputs: prototype.outputs.map { ($0.name, $0.kind, $0.schema) },
      isConfigured: screen.isMadeByConfiguration)
  }
}
