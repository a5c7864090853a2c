internal import Nagare

/// The items of a list that is updated by splices: as JSON, and decoded to each type that was requested.
struct KeptList: Sendable {
  private(set) var raw: Rows<RawJSON>
  private(set) var revision: Int
  /// The position of a window's items in the list; nil if these are all items.
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

  /// Applies splices. If they don't fit, nothing changes.
  ///
  /// - Parameters:
  ///   - splices: the splices, in order.
  ///   - count: the length of the list afterwards.
  ///   - place: the window's position afterwards, if the list has a window.
  ///   - newest: the revision afterwards.
  /// - Returns: false if they don't fit.
  /// - Throws: ``ProtocolError`` if they aren't valid splices.
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

/// Items that were decoded to one type, and are updated by splices.
protocol DecodedRows: Sendable {
  /// Returns the items after a splice, or nil if an inserted item isn't of the type.
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
