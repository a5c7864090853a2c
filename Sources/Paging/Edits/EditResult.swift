public import ItemList
internal import WireJSON

/// What a source made of an item that it inserted or changed.
///
/// ```swift
/// EditResult()                            // the source has the item as it was sent
/// EditResult(id: ItemID(4711))            // the source gave it an id of its own
/// ```
/// A source's id takes the place of the list's own: in the list, in pagers and in marks. Inputs may use the old one for as
/// long as the list exists.
public struct EditResult: Sendable {
  /// The item as the source has it, with its id; nil if it is as it was sent.
  public var item: ItemList.Item?
  /// The item's id; nil if it is the one that was sent, or if ``item`` has it.
  public var id: ItemID?
  /// What was wrong with the answer of a source that made the edit; nil if nothing was.
  public var failure: LoadFailure?

  /// What a source made of an item.
  public init(item: ItemList.Item? = nil, id: ItemID? = nil, failure: LoadFailure? = nil) {
    (self.item, self.id, self.failure) = (item, id, failure)
  }

  /// The item of a type as the source has it. Throws if it can't be listed.
  public init<Item: Codable & Identifiable>(_ item: Item) throws(ItemFailure) where Item.ID: Encodable {
    self.init(item: try Items.row(item))
  }
}

extension EditResult {
  /// The item that a source has inserted; a failure if it can't be listed, although the source has made the edit.
  init<Item: Codable & Identifiable>(inserted item: Item) where Item.ID: Encodable {
    do throws(ItemFailure) {
      try self.init(item)
    } catch {
      self.init(failure: LoadFailure(code: error.code, message: error.message))
    }
  }

  /// The result without an item that isn't of a type, which is a failure; its id stays.
  func checked<Item: Decodable>(as type: Item.Type) -> EditResult {
    guard let item else { return self }
    do throws(DecodingFailure) {
      _ = try item.json.decode(Item.self)
      return self
    } catch {
      let failure = LoadFailure(
        .badRecord,
        "the source made the edit, but the \(Item.self) \(item.id) of its answer can't be read: \(error.message)")
      return EditResult(id: item.itemID, failure: failure)
    }
  }
}

extension ItemList.Item {
  /// The item with another id. Where the id isn't written in the item itself, the member "id" gets it if it has the old one.
  package func identified(by id: ItemID) -> ItemList.Item {
    if let name = idMember ?? (json.member("id").flatMap { ItemID($0) } == itemID ? "id" : nil) {
      let members = json.members.map { (name: $0.key.string, value: $0.key.string == name ? id.raw : $0.value) }
      if let item = ItemList.Item(RawJSON(members: members), id: name) { return item }
    }
    return ItemList.Item(Array(bytes), id: Array(id.raw.bytes))
  }

  /// The name of the member that is the id; nil if the id isn't written in the item itself.
  var idMember: String? {
    let range = rawID.startIndex..<rawID.endIndex
    return json.members.first { $0.value.start == range.lowerBound && $0.value.count == range.count }?.key.string
  }

  /// An item whose id stands behind it.
  init(_ text: [UInt8], id: [UInt8]) {
    let slice = RawItems.Slice(
      start: 0, length: UInt32(text.count), idStart: UInt32(text.count), idLength: UInt32(id.count))
    self.init(RawItems(bytes: text + id, slices: [slice]), at: 0)
  }
}
