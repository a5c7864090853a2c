/// Finds words in a text, in one pass over its bytes however many words there are (Aho and Corasick, "Efficient string
/// matching: an aid to bibliographic search", 1975).
struct WordFinder {
  /// A beginning of one or more words. The first of all, the empty one, is 0, and stands for none where a link leads.
  private struct Beginning {
    /// Its last byte.
    let byte: UInt8
    /// The first of the beginnings that are longer by one byte.
    var longer: UInt16 = 0
    /// The next of those that are longer than the same.
    var sibling: UInt16 = 0
    /// The longest beginning, of other words, that this one ends with.
    var fallback: UInt16 = 0
    /// The words that this one is, or ends with: a bit for each.
    var words: UInt32 = 0
  }

  /// How far a text has come: the longest beginning of a word that it ends with.
  typealias State = UInt16

  /// The bits of all words.
  let all: UInt32
  private var beginnings = [Beginning(byte: 0)]
  /// The beginnings of one byte.
  private var first = [State](repeating: 0, count: 256)

  /// Gets ready to find words: up to 32, none empty, with fewer than 65,536 bytes together.
  init(_ words: [[UInt8]]) {
    all = words.isEmpty ? 0 : .max >> UInt32(32 - words.count)
    for (number, word) in words.enumerated() {
      let end = word.reduce(0) { place, byte in longer(place, byte) ?? add(byte, after: place) }
      beginnings[Int(end)].words |= 1 << UInt32(number)
    }
    linkFallbacks()
  }

  /// Goes on by a byte.
  @inline(__always)
  func next(_ place: State, _ byte: UInt8) -> State {
    var place = place
    while place != 0 {
      if let longer = longer(place, byte) { return longer }
      place = beginnings[Int(place)].fallback
    }
    return first[Int(byte)]
  }

  /// The words that a text ends with at a place: a bit for each.
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

  /// Finds out the fallbacks, of shorter beginnings first: those of longer ones follow from them.
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
