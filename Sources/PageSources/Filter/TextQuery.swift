internal import Paging
internal import RPC
internal import WireJSON

/// A query: each of its words must occur in one of an item's texts. Case and width are ignored.
struct TextQuery {
  private let finder: WordFinder

  /// Divides a query into words at spaces. Returns nil if it has no words. Too many words are a failure of the load.
  init?(_ text: String?) throws(LoadFailure) {
    guard let text else { return nil }
    guard let query = QueryText(text) else {
      throw LoadFailure(
        code: RPCError.Code.invalidParams.rawValue, message: "the query must be \(QueryText.expectation)")
    }
    let words = Set(query.words.map(TextQuery.folded))
    if words.isEmpty { return nil }
    finder = WordFinder(Array(words))
  }

  /// Whether every word occurs in some text of an item, at any depth.
  func matches(_ item: RawJSON) -> Bool {
    var (search, work) = (search, Int.max)
    return search.proceed(over: item.storage.span.extracting(item.range), &work) == true
  }

  /// Begins a search in an item.
  var search: TextSearch { TextSearch(finder) }

  private static func folded(_ word: [Unicode.Scalar]) -> [UInt8] {
    var folding = TextFolding()
    var bytes: [UInt8] = []
    func append(_ folded: TextFolding.Bytes) {
      var folded = folded
      while folded.count > 0 { bytes.append(folded.removeFirst()) }
    }
    for scalar in word { append(folding.fold(scalar)) }
    append(folding.end())
    return bytes
  }
}
