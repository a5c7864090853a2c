import Nagare
import Testing
import WireJSON

@testable import Paging

/// Lists with a window whose source doesn't know how many rows it has. It sends an estimated total, which changes while
/// rows are loaded.
struct InexactTotalTests {
  /// How a source estimates its total.
  enum Guess: String, CaseIterable {
    /// One more than was loaded so far.
    case oneMore
    /// Always the same low number as at first.
    case fewest
    /// Twice the real number.
    case twice
    /// At first far too many, then fewer with each page.
    case fewer
    /// Sometimes more, sometimes fewer.
    case wavering

    func total(_ run: Run, end: Int) -> Int {
      switch self {
      case .oneMore: min(end + 1, run.count)
      case .fewest: min(run.pageSize + 1, run.count)
      case .twice: 2 * run.count
      case .fewer: run.count + 10 * run.count / (1 + run.requests.count)
      case .wavering: run.requests.count.isMultiple(of: 2) ? end : end + 100
      }
    }
  }

  /// A list, its source, and a user who scrolls through the list.
  struct Run {
    let count: Int
    let pageSize = 50
    /// The most rows that the source sends in one page.
    let mostRows: Int
    let guess: Guess
    private(set) var list: Paged<RawJSON>
    private(set) var requests: [(position: Int, size: Int)] = []
    private(set) var failures: [String] = []

    init(_ guess: Guess, count: Int, mostRows: Int = 50, margin: Int = 50, mostItems: Int = 10_000) {
      (self.guess, self.count, self.mostRows) = (guess, count, mostRows)
      list = Paged(
        PagingOptions(pageSize: pageSize, mostItems: mostItems), source: SourceCapabilities(positions: true),
        margin: margin)
      list.first()
      answer()
    }

    mutating func setViewport(_ rows: Range<Int>) {
      list.setViewport(rows)
      answer()
    }

    mutating func jump(to row: Int) {
      if !list.jump(to: row) { failures.append("there is no row \(row)") }
      answer()
    }

    /// Answers until there are no more requests.
    private mutating func answer() {
      while case .one(let number) = list.wanted, let request = list.request(number), requests.count < 10 * count + 10 {
        let position = min(request.position ?? 0, count)
        let end = min(position + min(request.size, mostRows), count)
        requests.append((request.position ?? 0, request.size))
        let rows = (position..<end).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        var page = Page<RawJSON>(
          items: RawItems(arrayOf: json("[\(rows)]"), id: "id") ?? RawItems(bytes: [], slices: []),
          total: guess.total(self, end: end))
        (page.position, page.isTotalExact) = (position, false)
        do { try list.receive(page, of: number) } catch {
          failures.append("\(error)")
          if case .one(number) = list.wanted { list.end(number, failure: nil) }
        }
      }
    }

    /// The faults of the rows in the window.
    var faults: [String] {
      let list = list.shown.list
      return (self.list.shown.window ?? 0..<0).compactMap { position in
        guard let row = list.row(at: position) else { return "\(position) isn't read" }
        return list.rows[row].json.member("id")?.int == position ? nil : "another row is at \(position)"
      }
    }
  }

  @Test(arguments: Guess.allCases, [0, 1, 49, 50, 51, 100, 4021])
  func `scrolling to the end requests full pages, each once`(guess: Guess, count: Int) {
    for (margin, height) in [(0, 10), (50, 40), (3, 120), (200, 1)] {
      var run = Run(guess, count: count, margin: margin)
      var row = 0
      while row < run.list.count, row < 2 * count + 1 {
        run.setViewport(row..<row + height)
        #expect(run.faults == [], "\(guess) \(margin) \(height) at \(row)")
        row += max(1, height / 2)
      }
      #expect(run.failures == [])
      #expect(run.list.count == count && run.list.shown.isExact, "\(guess) \(margin) \(height)")
      #expect(run.list.total == count && run.list.phase == .reachedBottom)
      #expect(run.requests.count <= (count + 49) / 50 + 4, "\(guess) \(margin) \(height)")
    }
  }

  @Test(arguments: Guess.allCases) func `a client that shows all rows at once receives a thousand`(guess: Guess) {
    var run = Run(guess, count: 4021)
    run.setViewport(0..<Int.max)
    #expect(run.failures == [] && run.faults == [])
    #expect(run.list.shown.window == 0..<1000)
    #expect(run.requests.count <= 26)
  }

  @Test(arguments: Guess.allCases, [1, 7]) func `pages shorter than requested cause no failure`(
    guess: Guess, mostRows: Int
  ) {
    var run = Run(guess, count: 521, mostRows: mostRows)
    for row in stride(from: 0, to: 600, by: 20) {
      run.setViewport(row..<row + 40)
      #expect(run.faults == [])
    }
    #expect(run.failures == [])
    #expect(run.list.count == 521 && run.list.shown.isExact)
    #expect(run.requests.count <= 521 / mostRows + 60)
  }

  @Test(arguments: Guess.allCases) func `evicted rows still count as rows`(guess: Guess) {
    var run = Run(guess, count: 1000, margin: 10, mostItems: 60)
    for row in stride(from: 0, to: 1000, by: 20) { run.setViewport(row..<row + 20) }
    #expect(run.list.count == 1000)
    for row in stride(from: 980, through: 0, by: -20) {
      run.setViewport(row..<row + 20)
      #expect(run.faults == [], "\(guess) at \(row)")
      #expect(run.list.count >= 1000)
    }
    #expect(run.failures == [])
    #expect(run.requests.count <= 100)
  }

  @Test func `a jump beyond the end finds the end`() {
    var run = Run(.twice, count: 1000)
    run.jump(to: 1900)
    #expect(run.list.count == 1000 && run.list.shown.isExact)
    #expect(run.failures == [] && run.faults == [])
    #expect(run.requests.count <= 5)
  }
}
