internal import Flow
internal import Nagare
internal import Paging
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
          edit(waiting, rows: 2 * most) { $0.remove(ItemID($1)) }
        },
        Case("edit.insert.\(name)", repetitions: 500, counted: 200) {
          edit(waiting, rows: 2 * most) { $0.insert(item(-$1 - 1)) }
        },
        // Each is put before the one that was put in before it: when the oldest is refused, all others stand first.
        Case("edit.chain.\(name)", repetitions: 500, counted: 200) {
          edit(waiting, rows: 2 * most) { $0.insert(item(-$1 - 1), before: ItemID(-$1)) }
        },
        Case("edit.one.\(name)", repetitions: 500, counted: 200) {
          edit(waiting, rows: 2 * most) { list, _ in list.insert(item(most)) }
        },
        Case("edit.answer.\(name)", repetitions: 500, counted: 200) { answers(waiting, rows: 2 * most) },
        Case("edit.neighbours.\(name)", repetitions: 100, counted: 100, runs: 3, preparesEachRun: true) {
          refusals(waiting, rows: 2 * most)
        },
      ]
    }
  }

  /// A list of so many rows, on which so many edits wait.
  private static func edit(_ waiting: Int, rows: Int, _ step: @escaping (inout Paged<RawJSON>, Int) -> Void) -> (Int) ->
    Void
  {
    let stage = Stage(rows: rows)
    for number in 0..<waiting { stage.change { step(&$0, number) } }
    var next = waiting
    return { repetitions in
      for _ in 0..<repetitions {
        stage.change { step(&$0, next) }
        stage.refuseOldest()
        next += 1
      }
    }
  }

  /// An item that was put in again and again, each time before another row, with so many others put before it. A repetition
  /// is the refusal of the oldest of its insertions: it goes to the next row, and its neighbours go with it.
  private static func refusals(_ neighbours: Int, rows: Int) -> (Int) -> Void {
    let stage = Stage(rows: rows)
    for number in 0..<120 { stage.change { $0.insert(item(-1), before: ItemID(rows / 2 + number)) } }
    for number in 0..<neighbours { stage.change { $0.insert(item(-number - 2), before: ItemID(-1)) } }
    return { repetitions in for _ in 0..<repetitions { stage.refuseOldest() } }
  }

  private struct Screen { var list = Paged<RawJSON>(writes: [.remove]) }

  /// A list whose removals are asked of a source. A repetition is one more, and the answer to the oldest.
  private static func answers(_ waiting: Int, rows: Int) -> (Int) -> Void {
    var screen = Screen()
    fill(&screen.list, rows)
    let remove = Port<Int>("id")
    let state = Feedback(screen, on: VirtualScheduler())
    state.on(remove) { $0.list.remove(ItemID($1)) }
    var (questions, answered, next) = ([PublishSubject<Void>](), 0, 0)
    state.react(to: \.list.edits) { _ in
      questions.append(PublishSubject())
      return questions[questions.count - 1].asObservable()
    }
    let (total, bag) = (Total(), DisposeBag())
    state.list.items.subscribe { total.add($0.count) }.disposed(by: bag)
    func removeNext() {
      remove.on(.next(next))
      next += 1
    }
    for _ in 0..<waiting { removeNext() }
    return { repetitions in
      for _ in 0..<repetitions {
        removeNext()
        questions[answered].on(.next(()))
        answered += 1
      }
      withExtendedLifetime(bag) {}
    }
  }

  /// Gives a list its only page.
  private static func fill(_ list: inout Paged<RawJSON>, _ rows: Int) {
    list.first()
    if case .one(let number) = list.wanted { try? list.receive(Page(items: page(0..<rows)), of: number) }
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
    private var state = Paged<RawJSON>(writes: [.insert, .remove])
    private var last = Paged<RawJSON>()
    private var refused = 0
    private let total = Total()

    init(rows: Int) {
      fill(&state, rows)
    }

    func refuseOldest() {
      refused = state.edits.wantedNumber(after: refused) ?? refused
      change { [refused] in $0.edits.end(refused, failure: Failure(code: 1, message: "no", trigger: "edit")) }
    }

    func change(_ step: (inout Paged<RawJSON>) -> Void) {
      step(&state)
      total.add(ItemList.splices(from: last.items, to: state.items).count)
      last = state
    }
  }
}
