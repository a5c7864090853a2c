internal import Nagare

/// The current values of a view's states, by name, as section 4 of the specification has them.
struct Current: Sendable {
  /// Those of plain states.
  private(set) var values: [String: RawJSON] = [:]
  /// Those with a revision.
  private(set) var lists: [String: KeptList] = [:]
  let screen: ScreenDescription

  /// - Throws: ``ProtocolError`` if the outputs aren't any.
  init(of screen: ScreenDescription, _ outputs: RawJSON) throws {
    self.screen = screen
    for (output, params) in outputs.members { try put(output.string, params) }
  }

  /// The names of the outputs that have a current value.
  var names: [String] { [String](values.keys) + lists.keys }

  func has(_ output: String) -> Bool { values[output] != nil || lists[output] != nil }

  /// The value of an output as JSON.
  func json(_ output: String) -> RawJSON? { values[output] ?? lists[output].map { Array($0.raw).json } }

  /// The items of a list, or what is held of it; a list has a place if it is held in part.
  mutating func decodedRows<Element: Decodable & Sendable>(
    _ output: String, of type: Element.Type
  ) throws -> Rows<Element>? {
    try lists[output]?.rows(of: type)
  }

  /// Takes the params of a notification.
  ///
  /// - Returns: false if it builds on what was never heard.
  mutating func apply(_ output: String, _ params: RawJSON) throws -> Bool {
    let update = params.membersByName
    if let splices = update["splices"] {
      guard let newest = update["revision"]?.int, let count = update["count"]?.int else {
        throw ProtocolError(malformed: output, params)
      }
      guard update["base"]?.int == lists[output]?.revision else { return false }
      return try lists[output]?.splice(splices, count, WindowPosition(update), newest) ?? false
    }
    try put(output, params)
    return true
  }

  /// Takes what the server was asked for.
  ///
  /// - Returns: whether it is another value.
  mutating func replace(_ output: String, _ params: RawJSON) throws -> Bool {
    let (value, revision) = (values[output], lists[output]?.revision)
    try put(output, params)
    if let list = lists[output] { return list.revision != revision }
    return value.map { !$0.isEquivalent(to: values[output] ?? .null) } ?? true
  }

  private mutating func put(_ output: String, _ params: RawJSON) throws {
    guard let value = params.member("value") else { throw ProtocolError(malformed: output, params) }
    if let revision = params.member("revision") {
      lists[output] = try KeptList(value, revision, WindowPosition(params.membersByName))
    } else {
      // It may keep a whole buffer of the input otherwise.
      values[output] = RawJSON(copying: value)
    }
  }
}

extension WindowPosition {
  /// What a list says that is held in part; nil if it is held whole.
  fileprivate init?(_ said: [WireText: RawJSON]) {
    guard let start = said["start"]?.int, let count = said["count"]?.int else { return nil }
    self.init(start: start, count: count, isExact: said["exact"]?.bool ?? false)
  }
}

extension ProtocolError {
  /// A notification that isn't what it should be.
  init(malformed output: String, _ params: RawJSON) {
    self.init(description: "the server broke the protocol: \"\(output)\" said \(params.text.prefix(200))")
  }
}
