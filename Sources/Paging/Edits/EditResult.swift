public import ItemList
internal import WireJSON

/// The result of an insertion or a change: what the source now has.
///
/// ```swift
/// EditResult()                            // the source has the item exactly as it was sent
/// EditResult(id: ItemID(4711))            // the source gave the item another id
/// ```
/// An id that the source gave replaces the list's own id: in the list, in pagers and in marks. Inputs may use the old
/// id for as long as the list exists.
public struct EditResult: Sendable {
  /// The item as the source has it, including its id; nil if it is as it was sent.
  public var item: ItemList.Item?
  /// The item's id; nil if it is unchanged, or if ``item`` has it.
  public var id: ItemID?
  /// The fault in the source's answer, although the source made the edit; nil if there is none.
  public var failure: LoadFailure?

  /// Creates a result. Without arguments, the source has the item exactly as it was sent.
  public init(item: ItemList.Item? = nil, id: ItemID? = nil, failure: LoadFailure? = nil) {
    (self.item, self.id, self.failure) = (item, id, failure)
  }

  /// Creates a result from an item as the source has it. Throws if the item can't be listed.
  public init<Item: Codable & Identifiable>(_ item: Item) throws(ItemFailure) where Item.ID: Encodable {
    self.init(item: try Items.row(item))
  }
}

extension EditResult {
  /// Creates the result of an insertion from the item as the source has it. If that can't be listed, the result has a
  /// failure instead, because the source has made the edit.
  init<Item: Codable & Identifiable>(inserted item: Item) where Item.ID: Encodable {
    do throws(ItemFailure) {
      try self.init(item)
    } catch {
      self.init(failure: LoadFailure(code: error.code, message: error.message))
    }
  }

  /// Checks that the item can be decoded as a type. If not, the result has a failure instead of the item, and keeps the
  /// item's id.
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
  /// A copy of the item with another id. If the id isn't one of the item's fields, its field "id" is changed too,
  /// provided that it has the old id.
  package func identified(by id: ItemID) -> ItemList.Item {
    if let name = idMember ?? (json.member("id").flatMap { ItemID($0) } == itemID ? "id" : nil) {
      let members = json.members.map { (name: $0.key.string, value: $0.key.string == name ? id.raw : $0.value) }
      if let item = ItemList.Item(RawJSON(members: members), id: name) { return item }
    }
    return ItemList.Item(Array(bytes), id: Array(id.raw.bytes))
  }

  /// The name of the field that is the item's id; nil if the id isn't part of the item's JSON.
  var idMember: String? {
    let range = rawID.startIndex..<rawID.endIndex
    return json.members.first { $0.value.start == range.lowerBound && $0.value.count == range.count }?.key.string
  }

  /// Creates an item whose id isn't part of its JSON. The id is stored after it.
  init(_ text: [UInt8], id: [UInt8]) {
    let slice = RawItems.Slice(
      start: 0, length: UInt32(text.count), idStart: UInt32(text.count), idLength: UInt32(id.count))
    self.init(RawItems(bytes: text + id, slices: [slice]), at: 0)
  }
}
