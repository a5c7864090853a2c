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
    let ids: [ItemID]
    let isInsertion: Bool
    let turn = PublishSubject<Void>()
  }

  private let idMember: String
  private let send: (Edit<RawJSON>) -> Observable<EditResult>
  private var ids = SourceIDs()
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
      let ids = edit.ids(idMember)
      guard ids.contains(where: inserted.contains) else { return begin(edit) }
      let waits = WaitingEdit(ids: ids, isInsertion: edit.isInsertion)
      waiting.append(waits)
      return waits.turn.flatMap { [self] _ in begin(edit.identified(self.ids, idMember)) }
    }
  }

  private func begin(_ edit: Edit<RawJSON>) -> Observable<EditResult> {
    let old = edit.ids(idMember).first
    var isMade = false
    func record(_ result: EditResult) {
      isMade = true
      let new = result.item?.itemID ?? result.id
      if let old, let new, old != new { ids.rename(old, to: new) }
    }
    let sent = send(edit.renamed(ids, idMember))
    guard edit.isInsertion, let old else { return sent.do(onNext: record) }
    ids.forget(old)
    inserted.insert(old)
    return sent.do(onNext: record, onCompleted: { isMade = true }, onDispose: { [self] in end(old, isMade: isMade) })
  }

  /// The insertion of an item is answered, or was given up.
  private func end(_ id: ItemID, isMade: Bool) {
    inserted.remove(id)
    while let index = waiting.firstIndex(where: { !$0.ids.contains(where: inserted.contains) }) {
      let (turn, isInsertion) = { ($0.turn, $0.isInsertion) }(waiting.remove(at: index))
      if isMade || isInsertion { turn.onNext(()) } else { turn.onError(CancellationError()) }
    }
  }
}

extension Edit<RawJSON> {
  /// The ids of the items that it is about, as far as it names them.
  fileprivate func ids(_ idMember: String) -> [ItemID] {
    switch self {
    case .insert(let item, _), .update(let item): item.member(idMember).flatMap { ItemID($0) }.map { [$0] } ?? []
    case .remove(let id): [id]
    case .marked(let items, _): items.all == nil ? items.ids : []
    }
  }

  fileprivate var isInsertion: Bool { if case .insert = self { true } else { false } }

  /// The same with the ids that the source gave. An insertion keeps the id of its item, which is a new one.
  fileprivate func renamed(_ ids: SourceIDs, _ idMember: String) -> Edit<RawJSON> {
    switch self {
    case .insert(let item, let next): return .insert(item, before: next.map { ids[$0] })
    case .update: return identified(ids, idMember)
    case .remove(let id): return .remove(ids[id])
    case .marked(let items, let set):
      return .marked(MarkedItems(ids: items.ids.map { ids[$0] }, butOf: items.all, at: items.state), set: set)
    }
  }

  /// The same about the item with the id that the source gave it, also if it is inserted again.
  fileprivate func identified(_ ids: SourceIDs, _ idMember: String) -> Edit<RawJSON> {
    func renamed(_ item: RawJSON) -> RawJSON {
      guard let old = item.member(idMember).flatMap({ ItemID($0) }), ids[old] != old else { return item }
      return RawJSON(
        members: item.members.map { (name: $0.key.string, value: $0.key.string == idMember ? ids[old].raw : $0.value) })
    }
    switch self {
    case .insert(let item, let next): return .insert(renamed(item), before: next)
    case .update(let item): return .update(renamed(item))
    case .remove, .marked: return self
    }
  }
}
