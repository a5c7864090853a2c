import ItemList
import Paging
import Randomness
import WireJSON

/// A row of a source.
struct SourceRow: Equatable {
  let number: Int
  var version = 0
  /// The value that it shares with the other rows of its section.
  var group: Int
  /// The value that an ordered source sorts its rows by.
  var rank: Int

  var id: ItemID { ItemID("r\(number)") }
  var text: String { #"{"id":"r\#(number)","version":\#(version),"group":"\#(group)","rank":\#(rank)}"# }
  var item: ItemList.Item {
    ItemList.Item(RawItems(arrayOf: json("[\(text)]"), id: "id") ?? RawItems(bytes: [], slices: []), at: 0)
  }

  init(number: Int, version: Int = 0, group: Int, rank: Int) {
    (self.number, self.version, self.group, self.rank) = (number, version, group, rank)
  }

  /// Reads a row from an item of a list.
  init(_ json: RawJSON) {
    func value(_ name: String) -> Int {
      Int((json.member(name)?.description ?? "").filter { $0.isNumber || $0 == "-" }) ?? 0
    }
    self.init(number: value("id"), version: value("version"), group: value("group"), rank: value("rank"))
  }

  /// Whether the row matches criteria. This never changes.
  func matches(_ criteria: Criteria) -> Bool {
    if let query = criteria.query, query != "q\(number % 2)" { return false }
    if let filters = criteria.filters { return filters.json.member("third")?.description == "\(number % 3)" }
    return true
  }
}

/// The rows of a source, and the places between them that keys name.
///
/// A place is a marker between two rows. It stays when rows are inserted or removed. A row inserted before the row
/// after the place comes after the place. A row inserted after the row before the place comes before it.
struct SourceTable {
  enum Element {
    case row(SourceRow)
    /// In an ordered source, a place is directly before or after the row of a rank.
    case place(Int, rank: Int, isAfterRow: Bool)

    var row: SourceRow? { if case .row(let row) = self { row } else { nil } }

    var key: (rank: Int, side: Int) {
      switch self {
      case .row(let row): (row.rank, 0)
      case .place(_, let rank, let isAfterRow): (rank, isAfterRow ? 1 : -1)
      }
    }
  }

  private(set) var elements: [Element] = []
  private var places = 0

  func rows(_ criteria: Criteria) -> [SourceRow] {
    elements.compactMap { if case .row(let row) = $0, row.matches(criteria) { row } else { nil } }
  }

  func index(_ number: Int) -> Int? { elements.firstIndex { $0.row?.number == number } }

  /// Adds a place directly after or before a row. Returns its number.
  mutating func place(besideRow number: Int, isAfterRow: Bool) -> Int {
    let index = index(number) ?? 0
    places += 1
    let place = Element.place(places, rank: elements[index].key.rank, isAfterRow: isAfterRow)
    elements.insert(place, at: isAfterRow ? index + 1 : index)
    return places
  }

  /// The number of matching rows before a place.
  func position(ofPlace number: Int, _ criteria: Criteria) -> Int {
    var position = 0
    for element in elements {
      switch element {
      case .place(number, _, _): return position
      case .place: break
      case .row(let row): if row.matches(criteria) { position += 1 }
      }
    }
    return position
  }

  /// The matching rows between two places. Nil means the start, or the end.
  func rows(_ criteria: Criteria, after first: Int?, before last: Int?) -> [SourceRow] {
    var (rows, isInside) = ([SourceRow](), first == nil)
    for element in elements {
      switch element {
      case .place(let number, _, _):
        if number == first { isInside = true }
        if number == last { return rows }
      case .row(let row): if isInside, row.matches(criteria) { rows.append(row) }
      }
    }
    return rows
  }

  mutating func insert(_ row: SourceRow, _ place: RowPlace, isOrdered: Bool) {
    let index =
      switch place {
      case .ordered where isOrdered: elements.firstIndex { $0.key > (row.rank, 0) } ?? elements.count
      case .ordered: 0
      case .end: elements.count
      case .before(let id): elements.firstIndex { $0.row?.id == id } ?? 0
      case .after(let id): (elements.firstIndex { $0.row?.id == id } ?? -1) + 1
      }
    elements.insert(.row(row), at: index)
  }

  mutating func replace(_ row: SourceRow) { if let index = index(row.number) { elements[index] = .row(row) } }
  mutating func remove(_ number: Int) { if let index = index(number) { elements.remove(at: index) } }
}

/// One reported change of a source's rows.
enum ToldChange {
  case insert(SourceRow, RowPlace, position: Int?)
  case change(SourceRow)
  case remove(Int, position: Int?)

  var row: Int {
    switch self {
    case .insert(let row, _, _), .change(let row): row.number
    case .remove(let number, _): number
    }
  }

  var told: SourceChanges<RawJSON>.Change {
    switch self {
    case .insert(let row, let place, let position): .insert(row.item, place).at(position)
    case .change(let row): .change(row.item)
    case .remove(let number, let position): .remove(ItemID("r\(number)")).at(position)
    }
  }
}

/// One report of a source.
struct SourceNotice {
  let since: Int
  let state: Int
  var changes: [ToldChange]
  var failures: [LoadFailure] = []
  let total: Int?
  /// Whether the report has no single changes, because everything changed.
  var isEverything = false
}

/// A page, with details that only the source knows.
struct SourcePage {
  var page: Page<RawJSON>
  var rows: [SourceRow]
  /// The places that the page's keys name; nil if it has no such key.
  var next: Int?
  var previous: Int?
}

/// The source of a random day: its rows, their changes, and pages of them.
struct RandomSource {
  let settings: RandomDaySettings
  private(set) var table = SourceTable()
  private(set) var state = 0
  /// All reports so far, with the criteria at that time.
  private(set) var log: [(criteria: Criteria, notice: SourceNotice)] = []
  private var nextNumber = 0
  private var ranks: Set<Int> = []
  /// The criteria of the list. Reports include only matching rows.
  var criteria = Criteria()

  init(_ settings: RandomDaySettings, using random: inout SplitMix64) {
    self.settings = settings
    for _ in 0..<settings.rowCount {
      let row = freshRow(matching: nil, Int.random(in: 0..<1 << 20, using: &random))
      table.insert(row, settings.isOrdered ? .ordered : .end, isOrdered: settings.isOrdered)
    }
  }

  var rows: [SourceRow] { table.rows(criteria) }

  /// A new row that matches criteria.
  mutating func freshRow(matching criteria: Criteria?, _ value: Int) -> SourceRow {
    var row = SourceRow(number: nextNumber, group: value / 5 % 3, rank: freshRank(value))
    while let criteria, !row.matches(criteria) {
      row = SourceRow(number: row.number + 1, group: row.group, rank: row.rank)
    }
    nextNumber = row.number + 1
    return row
  }

  private mutating func freshRank(_ value: Int) -> Int {
    var rank = value % 1000
    while !ranks.insert(rank).inserted { rank += 1 }
    return rank
  }

  /// Makes a random change, and returns its report.
  private mutating func change(_ kind: Int, _ value: Int) -> [ToldChange] {
    let rows = rows
    if kind % 8 < 3 || rows.isEmpty { return [insert(freshRow(matching: criteria, value), at: value)] }
    var row = rows[value % rows.count]
    switch kind % 8 {
    case 3, 4:
      row.version += 1
      if value % 3 == 0 { row.group = value / 7 % 3 }
      if settings.isOrdered, value % 4 == 0, !settings.hasPositions { row.rank = freshRank(value / 3) }
      return [replace(row)]
    case 5 where !settings.isOrdered:
      row.version += value % 2
      let removal = remove(row.number)
      let insertion = insert(row, at: value / 3)
      // A list that hasn't loaded the row needs the position to know where it was removed.
      return settings.hasPositions ? [removal, insertion] : [insertion]
    default: return [remove(row.number)]
    }
  }

  private mutating func insert(_ row: SourceRow, at value: Int) -> ToldChange {
    let others = rows
    let index = others.isEmpty ? 0 : value % (others.count + 1)
    let place: RowPlace =
      if settings.isOrdered {
        .ordered
      } else if index == others.count {
        others.isEmpty || value % 2 == 0 ? .end : .after(others[index - 1].id)
      } else if index == 0 {
        value % 2 == 0 ? .ordered : .before(others[0].id)
      } else {
        value % 2 == 0 ? .before(others[index].id) : .after(others[index - 1].id)
      }
    table.insert(row, place, isOrdered: settings.isOrdered)
    return .insert(row, place, position: position(of: row.number))
  }

  private mutating func replace(_ row: SourceRow) -> ToldChange {
    if settings.isOrdered {
      table.remove(row.number)
      table.insert(row, .ordered, isOrdered: true)
    } else {
      table.replace(row)
    }
    return .change(row)
  }

  private mutating func remove(_ number: Int) -> ToldChange {
    let position = position(of: number)
    table.remove(number)
    return .remove(number, position: position)
  }

  private func position(of number: Int) -> Int? {
    settings.hasPositions ? rows.firstIndex { $0.number == number } : nil
  }

  private mutating func record(_ changes: [ToldChange]) -> SourceNotice {
    let changes = changes.filter { SourceRow(number: $0.row, group: 0, rank: 0).matches(criteria) }
    state += 1
    let notice = SourceNotice(
      since: state - 1, state: state, changes: changes, total: settings.tellsTotal ? rows.count : nil)
    log.append((criteria, notice))
    return notice
  }

  /// Makes some changes in one step.
  mutating func change(count: Int, _ kind: Int, _ value: Int) -> SourceNotice {
    var changes: [ToldChange] = []
    for number in 0..<count {
      changes += change(kind / (number * 5 + 1), value / (number * 3 + 1))
    }
    return record(changes)
  }

  /// A report without changes, by which a list notices that it missed some.
  func heartbeat() -> SourceNotice {
    SourceNotice(since: state, state: state, changes: [], total: settings.tellsTotal ? rows.count : nil)
  }

  /// The reports since a state; nil if they were made under other criteria.
  func notices(since old: Int) -> [SourceNotice]? {
    let missed = log.filter { $0.notice.state > old }
    return missed.allSatisfy { $0.criteria == criteria } ? missed.map(\.notice) : nil
  }
}

extension RandomSource {
  /// Makes an edit, and returns its report; nil if the source refuses it.
  mutating func make(_ edit: Edit<RawJSON>) -> SourceNotice? {
    switch edit {
    case .insert(let json, let next):
      let row = SourceRow(json)
      ranks.insert(row.rank)
      nextNumber = max(nextNumber, row.number + 1)
      // An item that exists already moves to where the user put it.
      let removal = table.index(row.number) == nil ? nil : remove(row.number)
      let rows = rows
      let position = next.flatMap { id in rows.firstIndex { $0.id == id } }
      let place: RowPlace =
        if settings.isOrdered { .ordered } else { position.map { .before(rows[$0].id) } ?? .ordered }
      table.insert(row, place, isOrdered: settings.isOrdered)
      let insertion = ToldChange.insert(row, place, position: self.position(of: row.number))
      return record((settings.hasPositions ? removal.map { [$0] } ?? [] : []) + [insertion])
    case .update(let json):
      let row = SourceRow(json)
      guard table.index(row.number) != nil else { return nil }
      ranks.insert(row.rank)
      return record([replace(row)])
    case .remove(let id):
      guard let row = rows.first(where: { $0.id == id }) else { return nil }
      return record([remove(row.number)])
    case .marked(let items, let set):
      let ids = Set(items.ids)
      let meant =
        if let all = items.all { table.rows(all).filter { !ids.contains($0.id) } } else {
          table.rows(Criteria()).filter { ids.contains($0.id) }
        }
      var changes: [ToldChange] = []
      for var row in meant {
        if let set { row.version = SourceRow(set).version }
        changes.append(set == nil ? remove(row.number) : replace(row))
      }
      return record(changes)
    }
  }

  /// The requested page; nil if it should contain an item that doesn't exist.
  mutating func page(_ request: PageRequest, extra: Int = 0) -> SourcePage? {
    let rows = table.rows(request.criteria)
    let size = max(1, request.size + extra)
    var range: Range<Int>
    if let position = request.position {
      range = min(position, rows.count)..<min(position + size, rows.count)
    } else if let id = request.around {
      guard let index = rows.firstIndex(where: { $0.id == id }) else { return nil }
      let start = max(0, index - size / 2)
      range = start..<min(rows.count, max(start + size, index + 1))
    } else if let key = request.key.flatMap({ Int($0.description) }) {
      let (place, isPrevious) = (key / 2, key % 2 == 1)
      let position =
        settings.hasOffsetKeys ? min(place, rows.count) : table.position(ofPlace: place, request.criteria)
      range = isPrevious ? max(0, position - size)..<position : position..<min(rows.count, position + size)
    } else {
      let start = settings.startsInMiddle ? rows.count / 2 : 0
      range = start..<min(rows.count, start + size)
    }
    return page(of: rows, range, request)
  }

  private mutating func page(of rows: [SourceRow], _ range: Range<Int>, _ request: PageRequest) -> SourcePage {
    func key(besideRow index: Int, isAfterRow: Bool) -> Int {
      settings.hasOffsetKeys
        ? isAfterRow ? index + 1 : index : table.place(besideRow: rows[index].number, isAfterRow: isAfterRow)
    }
    let hasNext = !range.isEmpty && range.upperBound < rows.count
    let hasPrevious = !range.isEmpty && range.lowerBound > 0 && settings.namesPrevious
    var page = SourcePage(
      page: Page(items: SourcePage.items(Array(rows[range]))), rows: Array(rows[range]),
      next: hasNext ? key(besideRow: range.upperBound - 1, isAfterRow: true) : nil,
      previous: hasPrevious ? key(besideRow: range.lowerBound, isAfterRow: false) : nil)
    page.page.next = page.next.map { RawJSON(trusting: Array("\($0 * 2)".utf8)) }
    page.page.previous = page.previous.map { RawJSON(trusting: Array("\($0 * 2 + 1)".utf8)) }
    if settings.tellsTotal || settings.hasPositions {
      page.page.isTotalExact = settings.isTotalExact
      page.page.total = settings.isTotalExact ? rows.count : max(0, rows.count + rows.count % 7 - 3)
    }
    if settings.hasPositions { page.page.position = range.lowerBound }
    if settings.reports == .withStates { page.page.state = "\(state)" }
    return page
  }
}

extension SourcePage {
  static func items(_ rows: [SourceRow]) -> RawItems {
    RawItems(arrayOf: json("[\(rows.map(\.text).joined(separator: ","))]"), id: "id") ?? RawItems(bytes: [], slices: [])
  }
}
