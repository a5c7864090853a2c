internal import Flow
internal import ItemList
internal import Paging
internal import RPC
internal import Randomness
internal import WireJSON

/// The mailbox of the live demo. New mails arrive, and mails are read or removed elsewhere. It accepts edits, and
/// exists as long as its process.
struct DemoMailbox {
  /// A mail and its rank, which determines its position. A rank in a page's key stays valid when other mails arrive or
  /// are removed.
  struct Row {
    var rank: Int
    let item: ItemList.Item

    var id: ItemID { ItemID(trusting: item.rawID) ?? ItemID("") }
  }

  /// The maximum number of mails after insertions by edits.
  private static let mostRows = 2000
  /// From this number of mails on, no mails arrive.
  private static let manyRows = 1000
  /// Only the newest mails are read or removed elsewhere; this is their number.
  private static let newest = 40
  private static let spacing = 1 << 20

  /// The mails, the newest first.
  private(set) var rows: [Row]
  /// The number of changes so far.
  private(set) var revision = 0
  private var random = SplitMix64(seed: 1)
  private var arrivals = 0

  init() {
    rows = (0..<DemoMail.count).compactMap { number in
      DemoMailbox.mail(number).map { Row(rank: number * DemoMailbox.spacing, item: $0) }
    }
  }

  /// The state of the mailbox, which its pages carry.
  var state: String { String(revision) }

  private static func mail(_ number: Int) -> ItemList.Item? {
    var writer = JSONWriter()
    DemoMail(number: number).write(to: &writer, tellsUnread: true)
    return ItemList.Item(RawJSON(trusting: writer.bytes), id: "id")
  }

  // MARK: - Simulated changes

  /// Returns the time until the next change.
  mutating func pause() -> Duration { .milliseconds(Int.random(in: 1500...6000, using: &random)) }

  /// Makes one change: a mail arrives, is read, or is removed. Returns the mail's id.
  mutating func happen() -> ItemID {
    let chance = Int.random(in: 0..<100, using: &random)
    let newest = rows.prefix(DemoMailbox.newest)
    let unread = newest.filter { $0.item.json.member("unread")?.bool == true }
    if rows.count < DemoMailbox.manyRows, chance < 45 || newest.isEmpty || chance < 80 && unread.isEmpty {
      return arrive()
    }
    if chance < 80, let row = unread.randomElement(using: &random) { return read(row) }
    let id = newest.randomElement(using: &random)?.id ?? ItemID("")
    remove(id)
    return id
  }

  private mutating func arrive() -> ItemID {
    arrivals += 1
    guard let mail = DemoMailbox.mail(-arrivals) else { return ItemID("") }
    insert(mail, at: 0)
    return rows[0].id
  }

  private mutating func read(_ row: Row) -> ItemID {
    let members = row.item.json.members.map { member in
      let name = member.key.string
      return (name: name, value: name == "unread" ? false.json : member.value)
    }
    if let item = ItemList.Item(RawJSON(members: members), id: "id") { put(item) }
    return row.id
  }

  // MARK: - Edits

  /// Returns the edit as edits of single mails.
  func single(_ edit: Edit<RawJSON>) throws(LoadFailure) -> [Edit<RawJSON>] {
    guard case .marked(let items, let set) = edit else { return [edit] }
    return try rows(items).map { row in set.map { .update(row.item.json.merging($0)) } ?? .remove(row.id) }
  }

  private func rows(_ items: MarkedItems) throws(LoadFailure) -> [Row] {
    let ids = Set(items.ids)
    guard let all = items.all else { return rows.filter { ids.contains($0.id) } }
    return try ItemTest(all, in: DemoData.mails.title).select(rows).filter { !ids.contains($0.id) }
  }

  /// Makes an edit of one mail. Returns the mail's id.
  mutating func make(_ edit: Edit<RawJSON>) throws(LoadFailure) -> ItemID {
    switch edit {
    case .remove(let id):
      remove(id)
      return id
    case .update(let json):
      let (item, id) = try item(json)
      guard put(item) else {
        throw LoadFailure(.noSuchItem, "\(DemoData.mails.title) has no \(id) any more")
      }
      return id
    case .insert(let json, let next):
      let (item, id) = try item(json)
      guard rows.count < DemoMailbox.mostRows else {
        let message = "\(DemoData.mails.title) is full, with \(rows.count) mails; remove one first"
        throw LoadFailure(code: RPCError.Code.invalidParams.rawValue, message: message)
      }
      rows.removeAll { $0.id == id }
      insert(item, at: rows.firstIndex { $0.id == next } ?? 0)
      return id
    case .marked: preconditionFailure("an edit of several items must be made one by one")
    }
  }

  private func item(_ json: RawJSON) throws(LoadFailure) -> (ItemList.Item, ItemID) {
    guard let item = ItemList.Item(json, id: "id"), let id = ItemID(trusting: item.rawID) else {
      throw LoadFailure(.badRecord, "\(DemoData.mails.title) accepts only objects with an \"id\"")
    }
    return (item, id)
  }

  private mutating func remove(_ id: ItemID) {
    rows.removeAll { $0.id == id }
    revision += 1
  }

  @discardableResult
  private mutating func put(_ item: ItemList.Item) -> Bool {
    guard let id = ItemID(trusting: item.rawID), let index = rows.firstIndex(where: { $0.id == id }) else {
      return false
    }
    rows[index] = Row(rank: rows[index].rank, item: item)
    revision += 1
    return true
  }

  /// Inserts a mail. If there is no free rank, the following mails get higher ranks. Therefore the page of an older key
  /// may repeat a mail, but never misses one.
  private mutating func insert(_ item: ItemList.Item, at index: Int) {
    let next = index < rows.count ? rows[index].rank : nil
    let previous = index > 0 ? rows[index - 1].rank : (next ?? 0) - 2 * DemoMailbox.spacing
    let rank = next.map { previous + max(1, ($0 - previous) / 2) } ?? previous + DemoMailbox.spacing
    rows.insert(Row(rank: rank, item: item), at: index)
    for index in rows.indices.dropFirst(index + 1) {
      guard rows[index].rank <= rows[index - 1].rank else { break }
      rows[index].rank = rows[index - 1].rank + 1
    }
    revision += 1
  }
}

extension ItemTest {
  /// Returns the mails that match, in the requested order.
  func select(_ rows: [DemoMailbox.Row]) -> [DemoMailbox.Row] { select(rows) { $0.item.json } }

  /// Returns the changes that one mail's change causes in a list with these criteria, and the list's new total.
  func changes(
    of id: ItemID, from old: [DemoMailbox.Row], to new: [DemoMailbox.Row]
  ) -> (changes: [SourceChanges<RawJSON>.Change], total: Int) {
    let (old, new) = (select(old), select(new))
    // The list may contain the mail although it doesn't match, because of the list's own edit.
    guard let index = new.firstIndex(where: { $0.id == id }) else { return ([.remove(id)], new.count) }
    if old.firstIndex(where: { $0.id == id }) == index { return ([.change(new[index].item)], new.count) }
    let place: RowPlace
    if index > 0 {
      place = .after(new[index - 1].id)
    } else {
      // If the sort values are equal, the position by `ordered` would be after the other mail, not before it.
      place = filter.order != nil && new.count > 1 ? .before(new[1].id) : .ordered
    }
    return ([.insert(new[index].item, place)], new.count)
  }
}
