internal import Nagare

/// The current values of a view's states, by name (section 4 of the specification).
struct Current: Sendable {
  /// The values of states without a revision.
  private(set) var values: [String: RawJSON] = [:]
  /// The lists: states with a revision.
  private(set) var lists: [String: KeptList] = [:]
  let screen: ScreenDescription

  /// Reads the values in the server's answer to `open`.
  ///
  /// - Throws: ``ProtocolError`` if the server's outputs are invalid.
  init(of screen: ScreenDescription, _ outputs: RawJSON) throws {
    self.screen = screen
    for (output, params) in outputs.members { try put(output.string, params) }
  }

  /// The names of the outputs that have a current value.
  var names: [String] { [String](values.keys) + lists.keys }

  func has(_ output: String) -> Bool { values[output] != nil || lists[output] != nil }

  /// Returns the value of an output as JSON.
  func json(_ output: String) -> RawJSON? { values[output] ?? lists[output].map { Array($0.raw).json } }

  /// Returns the items of a list, or those in its window. Only a list with a window has a place.
  mutating func decodedRows<Element: Decodable & Sendable>(
    _ output: String, of type: Element.Type
  ) throws -> Rows<Element>? {
    try lists[output]?.rows(of: type)
  }

  /// Applies a notification.
  ///
  /// - Returns: false if it builds on a revision that was missed.
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

  /// Replaces a value by the server's.
  ///
  /// - Returns: whether the two differ.
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
      // Copies the value, because it may otherwise keep a whole input buffer in memory.
      values[output] = RawJSON(copying: value)
    }
  }
}

extension WindowPosition {
  /// Reads the position of a window; nil if the list has no window.
  fileprivate init?(_ said: [WireText: RawJSON]) {
    guard let start = said["start"]?.int, let count = said["count"]?.int else { return nil }
    self.init(start: start, count: count, isExact: said["exact"]?.bool ?? false)
  }
}

extension ProtocolError {
  /// Creates the error for an invalid notification.
  init(malformed output: String, _ params: RawJSON) {
    self.init(description: "the server broke the protocol: \"\(output)\" said \(params.text.prefix(200))")
  }
}
