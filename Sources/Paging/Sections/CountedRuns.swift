/// The lengths of runs of equal keys: `aab` is a run of two `a` and a run of one `b`.
///
/// A change costs as much as the number of keys that it removes and inserts, plus a short search through blocks of
/// runs.
struct CountedRuns<Key: Equatable> {
  /// Adjacent elements with the same key.
  typealias Run = (key: Key, count: Int)

  private struct Block {
    let runs: [Run]
    let count: Int

    init(_ runs: some Sequence<Run>) {
      self.runs = Array(runs)
      count = self.runs.reduce(0) { $0 + $1.count }
    }
  }

  private static var mostRuns: Int { 32 }
  private var blocks: [Block] = []

  /// The number of elements.
  private(set) var count = 0

  /// Replaces the elements in a range by others with the given keys.
  mutating func replaceSubrange(_ range: Range<Int>, with keys: [Key]) {
    var (position, start, touched) = (0, 0, blocks.count..<blocks.count)
    // Blocks that only touch the range are included, because their runs may continue in the new elements.
    for index in blocks.indices where position <= range.upperBound {
      let end = position + blocks[index].count
      if end >= range.lowerBound {
        if touched.isEmpty { (start, touched) = (position, index..<index) }
        touched = touched.lowerBound..<index + 1
      }
      position = end
    }
    let old = blocks[touched].flatMap(\.runs)
    var runs: [Run] = []
    runs.reserveCapacity(old.count + 2)
    func add(_ key: Key, _ count: Int) {
      guard count > 0 else { return }
      if let last = runs.indices.last, runs[last].key == key {
        runs[last].count += count
      } else {
        runs.append((key, count))
      }
    }
    position = start
    for run in old where position < range.lowerBound {
      add(run.key, min(run.count, range.lowerBound - position))
      position += run.count
    }
    for key in keys { add(key, 1) }
    position = start
    for run in old {
      position += run.count
      if position > range.upperBound { add(run.key, min(run.count, position - range.upperBound)) }
    }
    count += keys.count - range.count
    if runs.count < Self.mostRuns / 4, touched.upperBound < blocks.count {
      runs += blocks[touched.upperBound].runs
      touched = touched.lowerBound..<touched.upperBound + 1
    }
    blocks.replaceSubrange(
      touched,
      with: stride(from: 0, to: runs.count, by: Self.mostRuns).map { Block(runs[$0...].prefix(Self.mostRuns)) })
  }

  /// Passes each run that overlaps a range to a closure, with the run's full range, in order.
  func forEachRun(meeting range: Range<Int>, _ body: (Key, Range<Int>) -> Void) {
    var position = 0
    for block in blocks where position < range.upperBound {
      guard position + block.count > range.lowerBound else {
        position += block.count
        continue
      }
      for run in block.runs {
        let place = position..<position + run.count
        if place.overlaps(range) { body(run.key, place) }
        position = place.upperBound
      }
    }
  }
}
