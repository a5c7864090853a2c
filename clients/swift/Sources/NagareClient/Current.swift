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
  mutating func take(_ output: String, _ params: RawJSON) throws -> Bool {
    let update = params.membersByName
    if let splices = update["splices"] {
      guard let newest = update["revision"]?.int, let count = update["count"]?.int else {
        throw ProtocolError(malformed: output, params)
      }
      guard update["base"]?.int == lists[output]?.revision else { return false }
      return try lists[output]?.splice(splices, count, WindowPlace(update), newest) ?? false
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
      lists[output] = try KeptList(value, revision, WindowPlace(params.membersByName))
    } else {
      // It may keep a whole buffer of the input otherwise.
      values[output] = RawJSON(copying: value)
    }
  }
}

/// The items of an output that is sent as splices: as they came, and decoded for whoever asked for them.
struct KeptList: Sendable {
  private(set) var raw: Rows<RawJSON>
  private(set) var revision: Int
  /// Where these lie in a longer list; nil if they are all of it.
  private(set) var place: WindowPlace?
  private var decoded: [ObjectIdentifier: any DecodedRows] = [:]

  init(_ value: RawJSON, _ revision: RawJSON, _ place: WindowPlace?) throws {
    guard value.kind == .array, let number = revision.int else {
      throw ProtocolError(description: "the server broke the protocol: a list's value is an array with a revision")
    }
    raw = Rows(RawJSON(copying: value).elements)
    self.revision = number
    self.place = place
  }

  mutating func rows<Element: Decodable & Sendable>(of type: Element.Type) throws -> Rows<Element> {
    if let raw = raw as? Rows<Element> { return raw }
    let key = ObjectIdentifier(type)
    let rows = try decoded[key] as? Rows<Element> ?? Rows(decoding: raw)
    decoded[key] = rows
    return rows
  }

  /// Takes a change.
  ///
  /// - Parameters:
  ///   - splices: what is put in the place of what, one after the other.
  ///   - count: how many items there are afterwards.
  ///   - place: where what is held lies then, in a list that is held in part.
  ///   - newest: the revision afterwards.
  /// - Returns: false if it doesn't fit.
  /// - Throws: ``ProtocolError`` if they aren't splices.
  mutating func splice(_ splices: RawJSON, _ count: Int, _ place: WindowPlace?, _ newest: Int) throws -> Bool {
    var changed = self
    for splice in splices.elements {
      let members = splice.membersByName
      guard let start = members["start"]?.int, let deleteCount = members["deleteCount"]?.int,
        let items = members["items"], items.kind == .array
      else { throw ProtocolError(malformed: "splices", splices) }
      let own = Array(RawJSON(copying: items).elements)
      guard changed.raw.splice(start, deleteCount, own) else { return false }
      for (key, rows) in changed.decoded { changed.decoded[key] = rows.spliced(start, deleteCount, own) }
    }
    let held = changed.raw.count
    guard place.map({ $0.start >= 0 && $0.start <= count - held }) ?? (held == count) else { return false }
    (changed.revision, changed.place) = (newest, place)
    self = changed
    return true
  }
}

/// Items of some type that were decoded once, and follow the changes.
protocol DecodedRows: Sendable {
  /// The items after a change; nil where one that comes isn't of the type.
  func spliced(_ start: Int, _ deleteCount: Int, _ items: [RawJSON]) -> (any DecodedRows)?
}

extension Rows: DecodedRows where Element: Decodable {
  init(decoding items: some Sequence<RawJSON>) throws(OutputMismatch) {
    var elements: [Element] = []
    for item in items {
      do throws(DecodingFailure) {
        elements.append(try item.decode())
      } catch {
        throw OutputMismatch(
          description:
            "the item at \(elements.count) is no \(Element.self): \(error.message); it is \(item.text.prefix(200))")
      }
    }
    self.init(elements)
  }

  func spliced(_ start: Int, _ deleteCount: Int, _ items: [RawJSON]) -> (any DecodedRows)? {
    guard let items: [Element] = try? items.map({ try $0.decode() }) else { return nil }
    var copy = self
    return copy.splice(start, deleteCount, items) ? copy : nil
  }
}

extension WindowPlace {
  /// What a list says that is held in part; nil if it is held whole.
  fileprivate init?(_ said: [WireText: RawJSON]) {
    guard let start = said["start"]?.int, let count = said["count"]?.int else { return nil }
    self.init(start: start, count: count, isExact: said["exact"]?.bool ?? false)
  }
}

extension RawJSON {
  /// The members of an object that may be large, found on one way through it.
  fileprivate var membersByName: [WireText: RawJSON] {
    Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }
}

extension ProtocolError {
  /// A notification that isn't what it should be.
  init(malformed output: String, _ params: RawJSON) {
    self.init(description: "the server broke the protocol: \"\(output)\" said \(params.text.prefix(200))")
  }
}
