import Randomness
import Testing

@testable import NagareHTTP

struct HeadReaderTests {
  /// The answers that the reader returned, each with the number of its last line.
  private func answers(_ lines: [String]) -> [(line: Int, answer: HTTPAnswer)] {
    var reader = HeadReader()
    return lines.enumerated().compactMap { number, line in
      reader.read(Array(line.utf8).span).map { (number, $0) }
    }
  }

  @Test func `a head is complete at its empty line, and its header names are lowercase`() throws {
    let found = answers(["HTTP/1.1 200 OK\r\n", "Content-Type:  text/html \r\n", "X:\r\n", "ETag: \"a:b\"\r\n", "\r\n"])
    #expect(found.map(\.line) == [4])
    #expect(found.first?.answer.status == 200)
    #expect(found.first?.answer.headers == ["content-type": "text/html", "x": "", "etag": "\"a:b\""])
  }

  @Test func `interim answers are skipped with their headers`() {
    let found = answers([
      "HTTP/1.1 100 Continue\r\n", "\r\n", "HTTP/1.1 103 Early Hints\r\n", "Link: </a>\r\n", "\r\n", "HTTP/2 404 \r\n",
      "A: b\r\n",
      "\r\n", "Trailer: c\r\n", "\r\n", "HTTP/1.1 200 OK\r\n", "\r\n",
    ])
    #expect(found.map(\.line) == [7])
    #expect(found.first?.answer.status == 404)
    #expect(found.first?.answer.headers == ["a": "b"])
  }

  @Test func `nothing follows a switch of protocols`() {
    #expect(answers(["HTTP/1.1 101 Switching Protocols\r\n", "\r\n"]).map(\.answer.status) == [101])
  }

  @Test func `values of one name are joined, and long values can continue on the next line`() {
    let found = answers([
      "HTTP/1.1 200 OK\n", "Link: <a>;\n", " rel=next\n", "LINK: <b>\n", "\t; rel=prev\n", "no colon\n", ": no name\n",
      "\n",
    ])
    #expect(found.first?.answer.headers["link"] == "<a>; rel=next, <b> ; rel=prev")
  }

  @Test(arguments: ["X: \(String(repeating: "x", count: 1000))\r\n", "HTTP/1.1 100 Continue\r\n", "\r\n"])
  func `an endless head is refused`(line: String) {
    var (reader, count) = (HeadReader(), 0)
    while !reader.isTooLarge {
      #expect(reader.read(Array(line.utf8).span) == nil)
      count += line.utf8.count
    }
    #expect(count <= HeadReader.limit + line.utf8.count)
  }

  @Test func `any bytes can be read as a line`() {
    var random = SplitMix64(seed: 1)
    let pieces = [
      "HTTP/1.1 ", "200", " ", ":", "\r\n", "\n", "\t", "流", "\u{0}", "a", "HTTP/", "-1", "99999999999999999999",
    ]
    for _ in 0..<2000 {
      var reader = HeadReader()
      for _ in 0..<8 {
        let line = (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        if let answer = reader.read(Array(line.joined().utf8).span) {
          #expect(answer.status >= 200 || answer.status == 101)
        }
      }
    }
  }
}
