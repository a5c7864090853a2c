internal import Feeds
internal import Nagare
internal import RPC
internal import WireJSON

/// The state of a list with edits that the source hasn't answered, without the wire. A repetition is one more edit, and
/// the refusal of the oldest, while those who look at the list keep its last state.
enum Edits {
  /// The cases with few edits that wait and with many, so that a cost which grows with them shows.
  ///
  /// - Parameter most: how many edits wait in the long cases, on a list of twice as many rows.
  /// - Returns: the cases.
  static func cases(most: Int) -> [Case] {
    [("short", 1000), ("long", most)].flatMap { name, waiting in
      [
        Case("edit.remove.\(name)", repetitions: 500, counted: 200) {
          edit(waiting, rows: 2 * most) { number in .removed(ItemID(number)) }
        },
        Case("edit.insert.\(name)", repetitions: 500, counted: 200) {
          edit(waiting, rows: 2 * most) { number in .inserted(item(-number - 1), before: nil) }
        },
        // Each is put before the one that was put in before it: when the oldest is refused, all others stand first.
        Case("edit.chain.\(name)", repetitions: 500, counted: 200) {
          edit(waiting, rows: 2 * most) { number in .inserted(item(-number - 1), before: ItemID(-number)) }
        },
        Case("edit.one.\(name)", repetitions: 500, counted: 200) {
          edit(waiting, rows: 2 * most) { _ in .inserted(item(most), before: nil) }
        },
        Case("edit.neighbours.\(name)", repetitions: 100, counted: 100, runs: 3, preparesEachRun: true) {
          refusals(waiting, rows: 2 * most)
        },
      ]
    }
  }

  /// A list of so many rows, on which so many edits wait.
  private static func edit(_ waiting: Int, rows: Int, _ step: @escaping (Int) -> ListState.Step) -> (Int) -> Void {
    let stage = Stage(rows: rows)
    for number in 0..<waiting { stage.make(step(number)) }
    var next = waiting
    return { repetitions in
      for _ in 0..<repetitions {
        stage.make(step(next))
        stage.refuseOldest()
        next += 1
      }
    }
  }

  /// An item that was put in again and again, each time before another row, with so many others put before it. A repetition
  /// is the refusal of the oldest of its insertions: it goes to the next row, and its neighbours go with it.
  private static func refusals(_ neighbours: Int, rows: Int) -> (Int) -> Void {
    let stage = Stage(rows: rows)
    for number in 0..<120 { stage.make(.inserted(item(-1), before: ItemID(rows / 2 + number))) }
    for number in 0..<neighbours { stage.make(.inserted(item(-number - 2), before: ItemID(-1))) }
    return { repetitions in for _ in 0..<repetitions { stage.refuseOldest() } }
  }

  private static func item(_ number: Int) -> ItemList.Item { ItemList.Item(page(number..<number + 1), at: 0) }

  private static func page(_ numbers: Range<Int>) -> RawItems {
    var bytes: [UInt8] = []
    let slices = numbers.map { number in
      let (start, id) = (UInt32(bytes.count), String(number))
      bytes += "{\"id\":\(id),\"subject\":\"Nothing to be said of it\"}".utf8
      return RawItems.Slice(
        start: start, length: UInt32(bytes.count) - start, idStart: start + 6, idLength: UInt32(id.utf8.count))
    }
    return RawItems(bytes: bytes, slices: slices)
  }

  /// A state, the last one of it, and the edits that wait.
  private final class Stage {
    private var state = ListState()
    private var last = ListState()
    private var edits: [ListEdit] = []
    private var refused = 0
    private let total = Total()

    init(rows: Int) {
      ListState.apply(&state, .asked(.appear))
      if let load = state.running { ListState.apply(&state, .loaded(Page(items: page(0..<rows)), by: load)) }
    }

    func make(_ step: ListState.Step) {
      apply(step)
      if let edit = state.newestEdit { edits.append(edit) }
    }

    func refuseOldest() {
      apply(.refused(LoadFailure(code: 1, message: "no"), edits[refused]))
      refused += 1
    }

    private func apply(_ step: ListState.Step) {
      ListState.apply(&state, step)
      total.add(ItemList.splices(from: last.items, to: state.items).count)
      last = state
    }
  }
}
