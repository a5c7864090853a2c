import Nagare
import WireJSON

@testable import Paging

/// A simple model of a source: an array of rows in the order of their positions, and a history of its reports.
struct LiveSource {
  struct Row: Equatable {
    let id: Character
    var version: Int
    var position: Double
  }

  private(set) var rows: [Row]
  private(set) var state = 0
  /// All reports so far.
  private(set) var said: [SourceChanges<RawJSON>] = []
  /// The changes from each state to the next; nil if they are unknown.
  private var history: [[SourceChanges<RawJSON>.Change]?] = []
  /// The positions that rows have or had. A row inserted before another one is placed after all earlier positions
  /// before it.
  private var places: Set<Double> = []
  let isOrdered: Bool
  /// Whether the source gives positions of rows.
  let saysPositions: Bool
  private var versions = 0

  init(_ letters: String, isOrdered: Bool, saysPositions: Bool = false) {
    (self.isOrdered, self.saysPositions) = (isOrdered, saysPositions)
    rows = letters.enumerated().map { Row(id: $1, version: 0, position: Double($0)) }
  }

  func item(_ row: Row) -> ItemList.Item {
    let json = json(#"{"id":"\#(row.id)","v":\#(row.version),"n":\#(row.position)}"#)
    return ItemList.Item(json, id: "id") ?? ItemList.Item(RawItems(bytes: [], slices: []), at: 0)
  }

  // MARK: Changes

  /// Inserts an item before the one with an id, or at the end. An item that exists already moves.
  mutating func insert(_ id: Character, before next: Character?) -> SourceChanges<RawJSON> {
    if id == next { return change([id]) }
    places.formUnion(rows.map(\.position))
    let old = rows.firstIndex { $0.id == id }
    rows.removeAll { $0.id == id }
    let index = next.flatMap { next in rows.firstIndex { $0.id == next } } ?? rows.count
    var before = index > 0 ? rows[index - 1].position : nil
    var after = index < rows.count ? rows[index].position : nil
    versions += 1
    // The report names alternately the row before the new one and the row after it.
    let isBefore = versions % 2 == 0
    if index == 0, !isOrdered {
      // A row at the start comes before every position that a key may name.
      (before, after) = (nil, places.min())
    } else if isBefore || index == 0 {
      before = places.filter { $0 < after ?? .infinity }.max()
    } else {
      after = places.filter { $0 > before ?? 0 }.min()
    }
    let position =
      switch (before, after) {
      case (let before?, let after?): (before + after) / 2
      case (let before?, nil): before + 1
      case (nil, let after?): after - 1
      case (nil, nil): 0.0
      }
    let row = Row(id: id, version: versions, position: position)
    rows.insert(row, at: index)
    let place: RowPlace =
      if isOrdered || index == 0 {
        .ordered
      } else if isBefore {
        index == rows.count - 1 ? .end : .before(ItemID(String(rows[index + 1].id)))
      } else {
        .after(ItemID(String(rows[index - 1].id)))
      }
    let gone = old.map { [.remove(ItemID(String(id))).at($0)] } ?? [] as [SourceChanges<RawJSON>.Change]
    return say((saysPositions ? gone : []) + [.insert(item(row), place).at(saysPositions ? index : nil)])
  }

  mutating func change(_ ids: [Character]) -> SourceChanges<RawJSON> {
    versions += 1
    let indices = rows.indices.filter { ids.contains(rows[$0].id) }
    for index in indices { rows[index].version = versions }
    return say(indices.map { .change(item(rows[$0])) })
  }

  mutating func remove(_ ids: [Character]) -> SourceChanges<RawJSON> {
    places.formUnion(rows.map(\.position))
    return say(
      ids.map { id in
        let old = rows.firstIndex { $0.id == id }
        rows.removeAll { $0.id == id }
        return .remove(ItemID(String(id))).at(saysPositions ? old : nil)
      })
  }

  /// Changes too much to list the changes.
  mutating func shuffle() -> SourceChanges<RawJSON> {
    let last = rows.popLast()
    rows = rows.map { Row(id: $0.id, version: $0.version + 100, position: $0.position) }
    if let last {
      rows.insert(Row(id: last.id, version: last.version, position: (rows.first?.position ?? 0) - 1), at: 0)
    }
    places.formUnion(rows.map(\.position))
    _ = say(nil)
    said[said.count - 1] = .everything(since: "\(state - 1)", state: "\(state)")
    return said[said.count - 1]
  }

  private mutating func say(_ changes: [SourceChanges<RawJSON>.Change]?) -> SourceChanges<RawJSON> {
    history.append(changes)
    state += 1
    said.append(
      SourceChanges(
        changes ?? [], since: "\(state - 1)", state: "\(state)", total: saysPositions ? rows.count : nil))
    return said[said.count - 1]
  }

  // MARK: Answers

  func answer(_ request: WatchRequest) -> SourceChanges<RawJSON> {
    let since = request.state.flatMap(Int.init)
    let missed = since.map { history[$0...] } ?? []
    if missed.contains(where: { $0 == nil }) { return .everything(since: request.state, state: "\(state)") }
    return SourceChanges(
      missed.flatMap { $0 ?? [] }, since: request.state, state: "\(state)", total: saysPositions ? rows.count : nil)
  }

  func page(_ request: PageRequest, saysState: Bool) -> Page<RawJSON> {
    var page = rows
    var key = request.key?.text ?? ""
    if let around = request.around, !saysPositions,
      let index = rows.firstIndex(where: { ItemID(String($0.id)) == around })
    {
      page = Array(rows[index...].prefix(request.size))
    } else if saysPositions, key.isEmpty {
      let found = request.around.flatMap { id in rows.firstIndex { ItemID(String($0.id)) == id } }
      let position = min(found.map { max(0, $0 - request.size / 2) } ?? request.position ?? 0, rows.count)
      page = Array(rows[position...].prefix(request.size))
      let text = page.map { item($0).json.text }.joined(separator: ",")
      let items = RawItems(arrayOf: json("[\(text)]"), id: "id") ?? RawItems(bytes: [], slices: [])
      var answer = Page<RawJSON>(items: items, total: rows.count, state: saysState ? "\(state)" : nil)
      answer.position = position
      return answer
    }
    if request.around != nil {
    } else if key.hasPrefix("\"<") {
      key = String(key.dropFirst(2).dropLast())
      page = rows.filter { $0.position < number(key) }.suffix(request.size)
    } else {
      if !key.isEmpty { page = rows.filter { $0.position > number(key.dropFirst(2).dropLast()) } }
      page = Array(page.prefix(request.size))
    }
    let text = page.map { item($0).json.text }.joined(separator: ",")
    let items = RawItems(arrayOf: json("[\(text)]"), id: "id") ?? RawItems(bytes: [], slices: [])
    let (first, last) = (page.first?.position ?? 0, page.last?.position ?? 0)
    let hasNext = rows.contains { $0.position > last } && !page.isEmpty
    let hasPrevious = rows.contains { $0.position < first } && !page.isEmpty
    return Page(
      items: items, next: hasNext ? json("\">\(last)\"") : nil,
      previous: hasPrevious ? json("\"<\(first)\"") : nil, total: rows.count, state: saysState ? "\(state)" : nil)
  }
}

func json(_ text: String) -> RawJSON { (try? RawJSON(validating: Array(text.utf8))) ?? .null }

private func number(_ text: some StringProtocol) -> Double { Double(text) ?? 0 }
