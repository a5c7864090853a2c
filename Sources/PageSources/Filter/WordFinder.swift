/// Finds words in a text in a single pass over its bytes, for any number of words (Aho and Corasick, "Efficient string
/// matching: an aid to bibliographic search", 1975).
struct WordFinder {
  /// A prefix of one or more words. The empty prefix is number 0. In links, 0 means that there is none.
  private struct Beginning {
    /// The last byte of the prefix.
    let byte: UInt8
    /// The first of the prefixes that are one byte longer.
    var longer: UInt16 = 0
    /// The next of the prefixes that extend the same shorter prefix by one byte.
    var sibling: UInt16 = 0
    /// The longest other prefix that this one ends with.
    var fallback: UInt16 = 0
    /// The words that this prefix equals or ends with, one bit for each.
    var words: UInt32 = 0
  }

  /// The state of the search: the longest prefix of a word that the text so far ends with.
  typealias State = UInt16

  /// The bits of all words.
  let all: UInt32
  private var beginnings = [Beginning(byte: 0)]
  /// The prefixes of one byte.
  private var first = [State](repeating: 0, count: 256)

  /// Prepares a search for up to 32 nonempty words, with fewer than 65,536 bytes in total.
  init(_ words: [[UInt8]]) {
    all = words.isEmpty ? 0 : .max >> UInt32(32 - words.count)
    for (number, word) in words.enumerated() {
      let end = word.reduce(0) { place, byte in longer(place, byte) ?? add(byte, after: place) }
      beginnings[Int(end)].words |= 1 << UInt32(number)
    }
    linkFallbacks()
  }

  /// Returns the state after another byte.
  @inline(__always)
  func next(_ place: State, _ byte: UInt8) -> State {
    var place = place
    while place != 0 {
      if let longer = longer(place, byte) { return longer }
      place = beginnings[Int(place)].fallback
    }
    return first[Int(byte)]
  }

  /// Returns the words that the text ends with in a state, one bit for each.
  @inline(__always)
  func words(at place: State) -> UInt32 { beginnings[Int(place)].words }

  @inline(__always)
  private func longer(_ place: State, _ byte: UInt8) -> State? {
    var longer = place == 0 ? first[Int(byte)] : beginnings[Int(place)].longer
    while longer != 0, beginnings[Int(longer)].byte != byte { longer = beginnings[Int(longer)].sibling }
    return longer == 0 ? nil : longer
  }

  private mutating func add(_ byte: UInt8, after place: State) -> State {
    let new = State(beginnings.count)
    beginnings.append(Beginning(byte: byte))
    if place == 0 {
      first[Int(byte)] = new
    } else {
      beginnings[Int(new)].sibling = beginnings[Int(place)].longer
      beginnings[Int(place)].longer = new
    }
    return new
  }

  /// Finds the fallbacks. Shorter prefixes come first, because those of longer ones follow from them.
  private mutating func linkFallbacks() {
    var line = first.filter { $0 != 0 }
    var turn = 0
    while turn < line.count {
      let place = line[turn]
      var longer = beginnings[Int(place)].longer
      while longer != 0 {
        let fallback = next(beginnings[Int(place)].fallback, beginnings[Int(longer)].byte)
        beginnings[Int(longer)].fallback = fallback
        beginnings[Int(longer)].words |= words(at: fallback)
        line.append(longer)
        longer = beginnings[Int(longer)].sibling
      }
      turn += 1
    }
  }
}
