internal import Nagare

/// The items of an output that is sent as splices: as they came, and decoded for whoever asked for them.
struct KeptList: Sendable {
  private(set) var raw: Rows<RawJSON>
  private(set) var revision: Int
  /// Where these lie in a longer list; nil if they are all of it.
  private(set) var place: WindowPosition?
  private var decoded: [ObjectIdentifier: any DecodedRows] = [:]

  init(_ value: RawJSON, _ revision: RawJSON, _ place: WindowPosition?) throws {
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
  mutating func splice(_ splices: RawJSON, _ count: Int, _ place: WindowPosition?, _ newest: Int) throws -> Bool {
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
