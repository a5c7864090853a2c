import Testing

@testable import NagareHTTP

struct PagingTests {
  @Test(
    arguments: [
      // count, before, total, asked, isLast
      (20, 0, nil, 20, false), (19, 0, nil, 20, true), (0, 40, nil, 20, true), (21, 0, nil, 20, false),
      (20, nil, nil, nil, false), (1, nil, nil, nil, false), (0, nil, nil, nil, true),
      (20, 20, 41, 20, false), (20, 20, 40, 20, true), (10, 20, 100, 20, false), (0, 20, 100, 20, true),
      (20, nil, 20, nil, false),
    ] as [(Int, Int?, Int?, Int?, Bool)])
  func `the total ends the pages where it is known, else a short page, and always an empty one`(
    count: Int, before: Int?, total: Int?, asked: Int?, isLast: Bool
  ) {
    #expect(isLastPage(count, before: before, of: total, asked: asked) == isLast)
  }
}

struct AnswerCacheTests {
  private func answer(_ headers: [String: String] = ["etag": "1"], status: Int = 200, size: Int = 10) -> HTTPAnswer {
    HTTPAnswer(status: status, headers: headers, body: [UInt8](repeating: 0, count: size))
  }

  @Test func `an answer is kept if it can be asked about`() {
    var cache = AnswerCache(limit: 100)
    cache.keep(answer(), of: "a")
    cache.keep(answer(["last-modified": "x"]), of: "b")
    cache.keep(answer([:]), of: "c")
    cache.keep(answer(status: 404), of: "d")
    cache.keep(answer(["etag": "1", "cache-control": "private, No-Store"]), of: "e")
    #expect(["a", "b", "c", "d", "e"].filter { cache[$0] != nil } == ["a", "b"])
  }

  @Test func `the oldest go when there is no room`() {
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
}
