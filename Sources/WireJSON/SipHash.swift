/// SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012): a hash for which nobody can
/// construct collisions without knowing the key.
///
/// The standard library's `Hasher` is the same function. But it accepts input in pieces of any size, and for an id of a
/// few bytes this costs four times as much as the function itself.
struct SipHash {
  /// The hash with the key of this process. The key comes from the standard library's key, which is random unless an
  /// environment variable fixes it.
  static let ofProcess = SipHash(key: (keyPart(0), keyPart(1)))

  /// The initial state, computed from the key.
  private let start: (UInt64, UInt64, UInt64, UInt64)

  /// Makes a hash with a key of 128 bits.
  init(key: (UInt64, UInt64)) {
    start = (
      key.0 ^ 0x736F_6D65_7073_6575, key.1 ^ 0x646F_7261_6E64_6F6D, key.0 ^ 0x6C79_6765_6E65_7261,
      key.1 ^ 0x7465_6462_7974_6573
    )
  }

  private static func keyPart(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }

  /// Hashes bytes. `look` also receives them, eight at a time; zeros fill the last word.
  @inline(__always)
  func hash(_ bytes: Span<UInt8>, look: (UInt64) -> Void = { _ in }) -> UInt64 {
    var state = State(start)
    var index = 0
    while index &+ 8 <= bytes.count {
      let word = bytes.word(at: index)
      look(word)
      state.add(word)
      index &+= 8
    }
    let tail = bytes.tail(from: index)
    look(tail)
    state.add(tail | UInt64(truncatingIfNeeded: bytes.count) << 56)
    return state.finish()
  }

  private struct State {
    private var (a, b, c, d): (UInt64, UInt64, UInt64, UInt64)

    @inline(__always)
    init(_ start: (UInt64, UInt64, UInt64, UInt64)) { (a, b, c, d) = start }

    @inline(__always)
    mutating func add(_ word: UInt64) {
      d ^= word
      mix()
      a ^= word
    }

    @inline(__always)
    mutating func finish() -> UInt64 {
      c ^= 0xFF
      mix()
      mix()
      mix()
      return a ^ b ^ c ^ d
    }

    /// One round.
    @inline(__always)
    private mutating func mix() {
      a &+= b
      b = rotate(b, 13) ^ a
      a = rotate(a, 32)
      c &+= d
      d = rotate(d, 16) ^ c
      a &+= d
      d = rotate(d, 21) ^ a
      c &+= b
      b = rotate(b, 17) ^ c
      c = rotate(c, 32)
    }
  }
}

@inline(__always)
private func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 { word &<< bits | word &>> (64 &- bits) }
