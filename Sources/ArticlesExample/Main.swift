import Nagare

/// Serves the screen `articles` on standard input and output.
@main enum Main {
  static func main() {
    Service.stdio { loop in
      Articles { page in .async(on: loop) { try await Magazine.page(page) } }
    }
  }
}

/// Stands for a server: three pages that take their time, and no more.
enum Magazine {
  static func page(_ number: Int) async throws -> ArticlePage {
    try await Task.sleep(for: .milliseconds(50))
    return ArticlePage(
      articles: (0..<3).map { Article(id: "\(number).\($0)", title: "Article \($0) on page \(number)") },
      next: number < 3 ? number + 1 : nil)
  }
}
