internal import Flow
internal import ItemList
internal import Paging
internal import WireJSON

/// Sends edits to a source that may give new items other ids.
///
/// An edit of an item whose insertion isn't answered waits for the answer, and carries the id that the source gave. If the
/// source refuses the insertion, the edits that wait for it are given up, up to another insertion of the item.
final class SourceEdits {
  private struct WaitingEdit {
    var edit: Edit<RawJSON>
    let turn = PublishSubject<Edit<RawJSON>>()
  }

  private let idMember: String
  private let send: (Edit<RawJSON>) -> Observable<EditResult>
  /// The items whose insertions aren't answered.
  private var inserted: Set<ItemID> = []
  /// The edits that wait for these, the oldest first.
  private var waiting: [WaitingEdit] = []

  /// - Parameters:
  ///   - idMember: the member of an item that is its id.
  ///   - send: makes an edit.
  init(idMember: String, _ send: @escaping (Edit<RawJSON>) -> Observable<EditResult>) {
    (self.idMember, self.send) = (idMember, send)
  }

  /// Makes an edit, once the insertions of its items are answered.
  func write(_ edit: Edit<RawJSON>) -> Observable<EditResult> {
    .deferred { [self] in
      guard isHeld(edit) else { return begin(edit) }
      let waits = WaitingEdit(edit: edit)
      waiting.append(waits)
      return waits.turn.flatMap { [self] edit in begin(edit) }
    }
  }

  private func isHeld(_ edit: Edit<RawJSON>) -> Bool { edit.ids(idMember).contains(where: inserted.contains) }

  private func begin(_ edit: Edit<RawJSON>) -> Observable<EditResult> {
    guard edit.isInsertion, let id = edit.ids(idMember).first else { return send(edit) }
    inserted.insert(id)
    var result: EditResult?
    return send(edit).do(
      onNext: { result = $0 }, onCompleted: { result = result ?? EditResult() },
      onDispose: { [self] in end(id, result) })
  }

  /// The insertion of an item is answered, or was given up, with nil as its result.
  private func end(_ id: ItemID, _ result: EditResult?) {
    inserted.remove(id)
    if let new = result?.item?.itemID ?? result?.id {
      for index in waiting.indices { waiting[index].edit = waiting[index].edit.renamed(id, to: new, idMember) }
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

extension Edit<RawJSON> {
  fileprivate var isInsertion: Bool { if case .insert = self { true } else { false } }

  /// The ids of the items that it is about, as far as it names them.
  fileprivate func ids(_ idMember: String) -> [ItemID] {
    switch self {
    case .insert(let item, _), .update(let item): item.member(idMember).flatMap { ItemID($0) }.map { [$0] } ?? []
    case .remove(let id): [id]
    case .marked(let items, _): items.all == nil ? items.ids : []
    }
  }

  /// The same with another id for an item.
  fileprivate func renamed(_ old: ItemID, to new: ItemID, _ idMember: String) -> Edit<RawJSON> {
    func renamed(_ id: ItemID) -> ItemID { id == old ? new : id }
    func renamed(_ json: RawJSON) -> RawJSON {
      guard let item = ItemList.Item(json, id: idMember), item.itemID == old else { return json }
      return item.identified(by: new).json
    }
    switch self {
    case .insert(let item, let next): return .insert(renamed(item), before: next.map(renamed))
    case .update(let item): return .update(renamed(item))
    case .remove(let id): return .remove(renamed(id))
    case .marked(let items, let set):
      return .marked(MarkedItems(ids: items.ids.map(renamed), butOf: items.all, at: items.state), set: set)
    }
  }
}
