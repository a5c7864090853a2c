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
  func `the last page is known by the total, else by a short page, and always by an empty one`(
    count: Int, before: Int?, total: Int?, asked: Int?, isLast: Bool
  ) {
    #expect(isLastPage(count, before: before, of: total, asked: asked) == isLast)
  }
}
