/// A cache of the newest answers that have a validator. A validator lets the server report whether the answer is still
/// current (RFC 9110, section 13).
struct AnswerCache {
  private let limit: Int
  private var answers: [String: (answer: HTTPAnswer, number: Int)] = [:]
  /// The addresses by the numbers of their answers. Newer answers have higher numbers.
  private var addresses: [Int: String] = [:]
  private var lastNumber = 0
  /// No answer has a lower number.
  private var oldestNumber = 1
  private(set) var size = 0

  /// Creates a cache with a limit for the total size of its answers, headers and addresses in bytes.
  init(limit: Int) { self.limit = limit }

  subscript(url: String) -> HTTPAnswer? { answers[url]?.answer }

  /// Stores an answer, if it has a validator and the server doesn't forbid storing it.
  mutating func keep(_ answer: HTTPAnswer, of url: String) {
    remove(url)
    guard answer.status == 200, answer["etag"] != nil || answer["last-modified"] != nil,
      !(answer["cache-control"] ?? "").lowercased().utf8.contains("no-store".utf8), answer.size(of: url) <= limit
    else { return }
    lastNumber += 1
    answers[url] = (answer, lastNumber)
    addresses[lastNumber] = url
    size += answer.size(of: url)
    while size > limit { removeOldest() }
  }

  private mutating func remove(_ url: String) {
    guard let (answer, number) = answers.removeValue(forKey: url) else { return }
    addresses[number] = nil
    size -= answer.size(of: url)
  }

  private mutating func removeOldest() {
    if let url = addresses[oldestNumber] { remove(url) }
    oldestNumber += 1
  }
}

extension HTTPAnswer {
  /// The number of bytes that the answer takes in the cache.
  fileprivate func size(of url: String) -> Int {
    headers.reduce(body.count + url.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }
}
