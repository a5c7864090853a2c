/// The newest answers that a server can be asked about whether they still hold (RFC 9110, section 13).
struct AnswerCache {
  private let limit: Int
  private var answers: [String: HTTPAnswer] = [:]
  /// The addresses, that of the oldest answer first.
  private var order: [String] = []
  private(set) var size = 0

  /// Keeps answers whose bodies have so many bytes together.
  init(limit: Int) { self.limit = limit }

  subscript(url: String) -> HTTPAnswer? { answers[url] }

  /// Keeps an answer, if the server gave it a name to ask by and didn't forbid it.
  mutating func keep(_ answer: HTTPAnswer, of url: String) {
    remove(url)
    guard answer.status == 200, answer["etag"] != nil || answer["last-modified"] != nil,
      !(answer["cache-control"] ?? "").lowercased().contains("no-store"), answer.body.count <= limit
    else { return }
    answers[url] = answer
    order.append(url)
    size += answer.body.count
    while size > limit, let oldest = order.first { remove(oldest) }
  }

  private mutating func remove(_ url: String) {
    guard let answer = answers.removeValue(forKey: url) else { return }
    size -= answer.body.count
    order.removeAll { $0 == url }
  }
}
