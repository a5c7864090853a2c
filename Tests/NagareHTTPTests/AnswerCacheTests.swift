import Testing

@testable import NagareHTTP

struct AnswerCacheTests {
  /// An answer that takes `size` bytes in the cache: its address is 1 byte long, and its header 5.
  private func answer(_ headers: [String: String] = ["etag": "1"], status: Int = 200, size: Int = 10) -> HTTPAnswer {
    HTTPAnswer(status: status, headers: headers, body: [UInt8](repeating: 0, count: size - 6))
  }

  @Test func `an answer is stored if it has a validator`() {
    var cache = AnswerCache(limit: 100)
    cache.keep(answer(), of: "a")
    cache.keep(answer(["last-modified": "x"]), of: "b")
    cache.keep(answer([:]), of: "c")
    cache.keep(answer(status: 404), of: "d")
    cache.keep(answer(["etag": "1", "cache-control": "private, No-Store"]), of: "e")
    #expect(["a", "b", "c", "d", "e"].filter { cache[$0] != nil } == ["a", "b"])
  }

  @Test func `the oldest answers are removed when the cache is full`() {
    var cache = AnswerCache(limit: 30)
    for name in ["a", "b", "c", "a", "d"] { cache.keep(answer(), of: name) }
    #expect(["a", "b", "c", "d"].filter { cache[$0] != nil } == ["a", "c", "d"])
    #expect(cache.size == 30)
    cache.keep(answer(size: 31), of: "c")
    #expect(["a", "b", "c", "d"].filter { cache[$0] != nil } == ["a", "d"])
    cache.keep(answer(size: 30), of: "e")
    #expect(["a", "b", "c", "d", "e"].filter { cache[$0] != nil } == ["e"])
    #expect(cache.size == 30)
  }

  @Test func `answers without a body count, too`() {
    var cache = AnswerCache(limit: 1000)
    let addresses = (0..<10_000).map { "https://example.com/\($0)" }
    for address in addresses { cache.keep(answer(size: 6), of: address) }
    #expect((900...1000).contains(cache.size))
    #expect(addresses.count { cache[$0] != nil } < 50)
  }
}
