/// The newest answers that a server can be asked about whether they still hold (RFC 9110, section 13).
struct AnswerCache {
  private let limit: Int
  private var answers: [String: (answer: HTTPAnswer, number: Int)] = [:]
  /// The addresses by the numbers of their answers, which rise.
  private var addresses: [Int: String] = [:]
  private var lastNumber = 0
  /// No answer has a lower number.
  private var oldestNumber = 1
  private(set) var size = 0

  /// Keeps answers that have so many bytes together, with their headers and addresses.
  init(limit: Int) { self.limit = limit }

  subscript(url: String) -> HTTPAnswer? { answers[url]?.answer }

  /// Keeps an answer, if the server gave it a name to ask by and didn't forbid it.
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
  /// The bytes that it takes to keep it under an address.
  fileprivate func size(of url: String) -> Int {
    headers.reduce(body.count + url.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
  }
}
