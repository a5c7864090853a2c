package import Flow
internal import ItemList
package import WireJSON

/// Sends edits to a source that may give other ids to new items.
///
/// An edit of an item waits while the item's insertion is unanswered. It is then sent with the id that the source gave.
/// If the source refuses the insertion, waiting edits of the item are given up, except for a new insertion of it and
/// edits after that.
package final class SourceEdits<Item> {
  private struct WaitingEdit {
    var edit: Edit<Item>
    let turn = PublishSubject<Edit<Item>>()
  }

  /// Returns the ids of the items of an edit, if the edit names them.
  private let ids: (Edit<Item>) -> [ItemID]
  /// Returns the same edit with another id for an item.
  private let renamed: (Edit<Item>, _ old: ItemID, _ new: ItemID) -> Edit<Item>
  private let send: (Edit<Item>) -> Observable<EditResult>
  /// The items whose insertions are unanswered.
  private var inserted: Set<ItemID> = []
  /// The edits that wait for these insertions, the oldest first.
  private var waiting: [WaitingEdit] = []

  private init(
    ids: @escaping (Edit<Item>) -> [ItemID], renamed: @escaping (Edit<Item>, ItemID, ItemID) -> Edit<Item>,
    _ send: @escaping (Edit<Item>) -> Observable<EditResult>
  ) {
    (self.ids, self.renamed, self.send) = (ids, renamed, send)
  }

  /// Sends an edit, once the insertions of its items are answered.
  package func write(_ edit: Edit<Item>) -> Observable<EditResult> {
    .deferred { [self] in
      guard isHeld(edit) else { return begin(edit) }
      let waits = WaitingEdit(edit: edit)
      waiting.append(waits)
      return waits.turn.flatMap { [self] edit in begin(edit) }
    }
  }

  private func isHeld(_ edit: Edit<Item>) -> Bool { ids(edit).contains(where: inserted.contains) }

  private func begin(_ edit: Edit<Item>) -> Observable<EditResult> {
    guard edit.isInsertion, let id = ids(edit).first else { return send(edit) }
    inserted.insert(id)
    var result: EditResult?
    return send(edit).do(
      onNext: { result = $0 }, onCompleted: { result = result ?? EditResult() },
      onDispose: { [self] in end(id, result) })
  }

  /// Handles the end of an insertion. `result` is nil if the insertion was refused or given up.
  private func end(_ id: ItemID, _ result: EditResult?) {
    inserted.remove(id)
    if let new = result?.item?.itemID ?? result?.id {
      for index in waiting.indices { waiting[index].edit = renamed(waiting[index].edit, id, new) }
    }
    while let index = waiting.firstIndex(where: { !isHeld($0.edit) }) {
      let (edit, turn) = { ($0.edit, $0.turn) }(waiting.remove(at: index))
      guard result != nil || edit.isInsertion else {
        turn.onError(CancellationError())
        continue
      }
      turn.onNext(edit)
      turn.onCompleted()
    }
  }
}

extension SourceEdits where Item == RawJSON {
  /// Creates a sender of edits whose items are JSON.
  ///
  /// - Parameters:
  ///   - idMember: the name of the field that is an item's id.
  ///   - send: sends an edit.
  package convenience init(idMember: String, _ send: @escaping (Edit<RawJSON>) -> Observable<EditResult>) {
    self.init(ids: { $0.ids(idMember) }, renamed: { $0.renamed($1, to: $2, idMember) }, send)
  }
}

extension SourceEdits where Item: Codable & Identifiable, Item.ID: Encodable {
  /// Creates a sender of edits whose items have an app's own type.
  convenience init(_ send: @escaping (Edit<Item>) -> Observable<EditResult>) {
    self.init(ids: \.ids, renamed: { $0.renamed($1, to: $2) }, send)
  }
}

extension Edit {
  fileprivate var isInsertion: Bool { if case .insert = self { true } else { false } }

  /// The same edit with other items and ids.
  fileprivate func mapped(_ item: (Item) -> Item, _ id: (ItemID) -> ItemID) -> Edit {
    switch self {
    case .insert(let new, let next): .insert(item(new), before: next.map(id))
    case .update(let new): .update(item(new))
    case .remove(let old): .remove(id(old))
    case .marked(let items, let set):
      .marked(MarkedItems(ids: items.ids.map(id), butOf: items.all, at: items.state), set: set)
    }
  }

  /// The ids of the edit's items.
  fileprivate func ids(_ id: (Item) -> ItemID?) -> [ItemID] {
    switch self {
    case .insert(let item, _), .update(let item): id(item).map { [$0] } ?? []
    case .remove(let id): [id]
    case .marked(let items, _): items.all == nil ? items.ids : []
    }
  }
}

extension Edit<RawJSON> {
  fileprivate func ids(_ idMember: String) -> [ItemID] { ids { $0.member(idMember).flatMap { ItemID($0) } } }

  fileprivate func renamed(_ old: ItemID, to new: ItemID, _ idMember: String) -> Edit {
    mapped { json in
      guard let item = ItemList.Item(json, id: idMember), item.itemID == old else { return json }
      return item.identified(by: new).json
    } _: {
      $0 == old ? new : $0
    }
  }
}

extension Edit where Item: Codable & Identifiable, Item.ID: Encodable {
  fileprivate var ids: [ItemID] { ids { Items<Item>.itemID($0.id) } }

  /// A change of an item, with the id that the source gave it.
  static func update(_ item: Item, renamedBy ids: SourceIDs) -> Edit {
    guard !ids.isEmpty, let old = Items<Item>.itemID(item.id), ids[old] != old else { return .update(item) }
    return Edit.update(item).renamed(old, to: ids[old])
  }

  fileprivate func renamed(_ old: ItemID, to new: ItemID) -> Edit {
    mapped { item in
      guard Items<Item>.itemID(item.id) == old, let row = try? Items.row(item) else { return item }
      return (try? row.identified(by: new).json.decode(Item.self)) ?? item
    } _: {
      $0 == old ? new : $0
    }
  }
}
