import Screens
import LetterPages
import Nagare
import Paging
import Randomness

/// The outcome of one load of a source that may do anything.
struct Outcome {
  enum Kind: CaseIterable { case page, failure, nothing, end }

  let kind: Kind
  /// The delay of the answer; nil if it comes within the call.
  let delay: Duration?
  /// Whether the load continues to send after it was disposed of.
  let isDeaf: Bool
  let letters: String
  let next: Character?

  static let timeout = Duration.seconds(30)

  init(seed: Int, number: Int) {
    var random = SplitMix64(seed: seed &* 1000 &+ number)
    kind =
      [.page, .page, .page, .page, .page, .failure, .failure, .nothing, .end].randomElement(using: &random) ?? .page
    delay = Bool.random(using: &random) ? nil : .milliseconds(Int.random(in: 0...2500, using: &random))
    isDeaf = Bool.random(using: &random)
    letters = String((0..<Int.random(in: 0...4, using: &random)).map { _ in Outcome.letter(using: &random) })
    next = Int.random(in: 0...3, using: &random) == 0 ? nil : "23456789".randomElement(using: &random)
  }

  static func letter(using random: inout SplitMix64) -> Character {
    "abcdefghijABCDEFGHIJ".randomElement(using: &random) ?? "a"
  }
}

/// A simple model of a list and one pager, with arrays and without streams.
struct ListModel {
  let seed: Int
  let keeps: Bool
  let throttle: Duration
  var now = Duration.zero
  private(set) var items: [Character] = []
  private(set) var requests: [Character] = []
  private(set) var hasFailure = false
  private(set) var isLoading = false
  private var loadIsFirst = false
  private var due: Duration?
  private var failedKey: Character?
  private var next: Character?
  private var lastPassed: [LoadTrigger: Duration] = [:]
  private(set) var pager: (shown: Character, index: Int?, isAtEnd: Bool)?
  /// The last listed items with the pager's item, and its position in them.
  private var lastPlace: (items: [Character], index: Int) = ([], 0)
  /// The number of consecutive empty pages that were followed by another page.
  private var emptyPages = 0

  init(seed: Int, keeps: Bool, throttle: Duration) {
    (self.seed, self.keeps, self.throttle) = (seed, keeps, throttle)
  }

  func index(of letter: Character) -> Int? { items.firstIndex { $0.lowercased() == letter.lowercased() } }

  /// Lets time pass, and handles the answers in that time.
  mutating func advance(to time: Duration) {
    while let due, due <= time {
      now = max(now, due)
      answer()
    }
    now = time
  }

  mutating func ask(_ trigger: LoadTrigger) {
    if trigger == .reachBottom || trigger == .loadMore {
      if let last = lastPassed[trigger], now - last < throttle { return }
      lastPassed[trigger] = now
    }
    switch trigger {
    case .refresh: load("1")
    case .appear: if requests.isEmpty { load("1") }
    case .retry: if let failedKey, !isLoading { load(failedKey) }
    case .reachBottom, .loadMore: if let key = failedKey ?? next, !isLoading { load(key) }
    case .reachTop, .search, .filter, .invalidated, .viewport, .jump: break
    }
  }

  mutating func change(_ letter: Character) {
    if let index = index(of: letter) { items[index] = letter }
    follow()
  }

  private mutating func load(_ key: Character, isFollowing: Bool = false) {
    requests.append(key)
    if !isFollowing { emptyPages = 0 }
    (isLoading, hasFailure, failedKey, loadIsFirst) = (true, false, nil, key == "1")
    if loadIsFirst, !keeps { (items, next) = ([], nil) }
    let outcome = Outcome(seed: seed, number: requests.count - 1)
    due = now + (outcome.kind == .nothing ? Outcome.timeout : outcome.delay ?? .zero)
    // An immediate answer belongs to the same step, so the cleared list is never seen.
    if outcome.kind != .nothing, outcome.delay == nil { answer() } else { follow() }
  }

  private mutating func answer() {
    let outcome = Outcome(seed: seed, number: requests.count - 1)
    (isLoading, due) = (false, nil)
    if outcome.kind == .page {
      if loadIsFirst { items = [] }
      if outcome.letters.isEmpty, let key = outcome.next { return followEmptyPage(to: key) }
      emptyPages = 0
      for letter in outcome.letters {
        if let index = index(of: letter) { items[index] = letter } else { items.append(letter) }
      }
      next = outcome.letters.isEmpty ? nil : outcome.next
      hasFailure = Set(outcome.letters.lowercased()).count < outcome.letters.count
    } else {
      (hasFailure, failedKey) = (true, requests.last)
    }
    follow()
  }
}

// MARK: - Empty pages

extension ListModel {
  /// Requests the page after an empty one immediately, unless ten in a row were empty.
  private mutating func followEmptyPage(to key: Character) {
    next = key
    emptyPages += 1
    guard emptyPages == 10 else { return load(key, isFollowing: true) }
    (emptyPages, hasFailure, failedKey) = (0, true, requests.last)
    follow()
  }
}

// MARK: - Pager

extension ListModel {
  mutating func open(_ letter: Character) {
    guard let index = index(of: letter) else { return }
    pager = (items[index], index, false)
    follow()
  }

  mutating func swipe(by step: Int) {
    guard let pager, !items.isEmpty else { return }
    guard let index = pager.index else {
      let before = lastPlace.items[..<lastPlace.index].reversed().lazy.compactMap(index).first
      let after = lastPlace.items[lastPlace.index...].dropFirst().lazy.compactMap(index).first
      return go(to: (step == 1 ? after ?? before : before ?? after) ?? 0)
    }
    if step == 1, pager.isAtEnd { if next != nil { ask(.loadMore) } }
    if items.indices.contains(index + step), !(step == 1 && pager.isAtEnd) { go(to: index + step) }
  }

  mutating func jump(to letter: Character) {
    if let index = index(of: letter) { go(to: index) }
  }

  private mutating func go(to index: Int) {
    let moved = index != pager?.index
    pager = (items[index], index, !moved && pager?.isAtEnd == true)
    follow()
  }

  /// Keeps the pager on its item while the list changes, and loads more if that item has become the last.
  private mutating func follow() {
    guard let pager else { return }
    guard let index = index(of: pager.shown) else {
      self.pager = (pager.shown, nil, false)
      return
    }
    lastPlace = (items, index)
    let isAtEnd = index == items.count - 1
    self.pager = (items[index], index, isAtEnd)
    if isAtEnd, !pager.isAtEnd, next != nil { ask(.loadMore) }
  }
}
