import Nagare

@main enum Main {
  static func main() {
    Service.stdio { clock in Articles { request in .async(on: clock) { try await page(request.key(first: 1)) } } }
  }

  /// Stands for a server: three pages that take their time, and no more.
  static func page(_ number: Int) async throws -> Page<Article> {
    try await Task.sleep(for: .milliseconds(50))
    let articles = (0..<3).map { Article(id: "\(number).\($0)", title: "Article \($0) on page \(number)") }
    return Page(articles, next: number < 3 ? number + 1 : nil)
  }
}
