internal import Flow
internal import Nagare
internal import Paging
internal import RPC
internal import WireJSON

/// The state of a list, without the wire. A repetition appends one page. For pages of 20 items, it also computes the
/// outputs.
enum Lists {
  /// Returns the cases.
  ///
  /// - Parameter longest: the number of items in the longest page.
  /// - Returns: the cases.
  static func cases(longest: Int) -> [Case] {
    [
      Case("fold", repetitions: 100, counted: 100, runs: 21, preparesEachRun: true) { fold(at: 10_000) },
      Case("fold.small", repetitions: 100, counted: 100, runs: 21, preparesEachRun: true) { fold(at: 50) },
      Case("page.distinct", repetitions: 1, counted: 1, runs: 3) { append(longest, listed: 0) { $0 } },
      Case("page.repeated", repetitions: 1, counted: 1, runs: 3) {
        append(longest, listed: 0) { $0 < longest / 2 ? $0 : $0 % 40 }
      },
      Case("page.replaced", repetitions: 1, counted: 1, runs: 3) {
        append(longest, listed: 40) { $0 < longest / 2 ? $0 + 40 : $0 % 40 }
      },
    ]
  }

  /// Appends one long page to a short list.
  private static func append(_ count: Int, listed: Int, id: (Int) -> Int) -> (Int) -> Void {
    let total = Total()
    var list = ItemList()
    list.append(page(0..<listed))
    let page = page((0..<count).map(id))
    return { repetitions in
      for _ in 0..<repetitions {
        var list = list
        total.add(list.append(page).added)
      }
    }
  }

  private static func page(_ ids: some Sequence<Int>) -> RawItems {
    var bytes: [UInt8] = []
    var slices: [RawItems.Slice] = []
    for id in ids {
      let (start, text) = (UInt32(bytes.count), String(id))
      bytes += "{\"id\":\(text)}".utf8
      slices.append(
        RawItems.Slice(
          start: start, length: UInt32(bytes.count) - start, idStart: start + 6, idLength: UInt32(text.utf8.count)))
    }
    return RawItems(bytes: bytes, slices: slices)
  }

  /// A list of a number of pages. Further pages are made last, and only as many as needed. So they are in the
  /// processor's caches like data that was just read.
  private static func fold(at count: Int) -> (Int) -> Void {
    var mails = Mails(bodySize: 80)
    var stage = Stage()
    for (number, page) in mails.pages(count).enumerated() { stage.append(page, number == 0 ? .appear : .loadMore) }
    let coming = (count..<count + 110).map { mails.page($0) }
    var next = 0
    return { repetitions in
      for _ in 0..<repetitions {
        stage.append(coming[next], .loadMore)
        next += 1
      }
      precondition(stage.state.items.count == (count + next) * 20)
    }
  }

  /// A state, and its projections. The state is read in place, without a copy.
  private struct Stage {
    private(set) var state = Paged<RawJSON>()
    private let total = Total()

    mutating func append(_ page: RawItems, _ trigger: LoadTrigger) {
      state.load(trigger)
      guard case .one(let load) = state.wanted else { return }
      total.add(load)
      try? state.receive(Page(items: page, next: .null), of: load)
      total.add(state.items.count)
      total.add(state.isLoading ? 1 : 0)
      total.add(state.failure == nil ? 0 : 1)
    }
  }
}
