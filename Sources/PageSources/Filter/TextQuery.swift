internal import Paging
internal import RPC
internal import WireJSON

/// What somebody looks for: words, each of which has to stand somewhere in an item's texts. Case and width don't count.
struct TextQuery {
  private let finder: WordFinder

  /// Takes a query apart: words with spaces between. Nil comes back where there is none; too many are a failure of the
  /// load.
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

  /// Whether every word stands in some text of an item, however deep it lies.
  func matches(_ item: RawJSON) -> Bool {
    var (search, work) = (search, Int.max)
    return search.proceed(over: item.storage.span.extracting(item.range), &work) == true
  }

  /// Begins to search an item.
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
