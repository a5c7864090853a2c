internal import Flow
internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// The state of a list with edits that the source hasn't answered, without the wire. A repetition is one more edit, and
/// the refusal of the oldest edit, while observers keep the previous state.
enum Edits {
  /// Returns the cases with few and with many waiting edits, so that a cost that grows with their number shows.
  ///
  /// - Parameter most: the number of waiting edits in the long cases. The list has twice as many rows.
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
        // Each item is inserted before the previous one. When the oldest is refused, all others are in front of it.
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

  /// Makes a list with a number of rows and waiting edits.
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

  /// An item that was inserted again and again, each time before another row, with many other items inserted before it.
  /// A repetition refuses the oldest of its insertions: the item moves to the next row, and its neighbours move with
  /// it.
  private static func refusals(_ neighbours: Int, rows: Int) -> (Int) -> Void {
    let stage = Stage(rows: rows)
    for number in 0..<120 { stage.change { $0.insert(item(-1), before: ItemID(rows / 2 + number)) } }
    for number in 0..<neighbours { stage.change { $0.insert(item(-number - 2), before: ItemID(-1)) } }
    return { repetitions in for _ in 0..<repetitions { stage.refuseOldest() } }
  }

  private struct Screen { var list = Paged<RawJSON>(writes: [.remove]) }

  /// A list whose removals wait for a source. A repetition is one more removal, and the answer to the oldest.
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

  /// Loads a list's only page.
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

  /// A state, the previous state, and the waiting edits.
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
