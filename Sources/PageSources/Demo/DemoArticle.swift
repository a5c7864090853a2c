internal import Randomness
internal import WireJSON

/// An article of the demo's magazine for programmers. Its number determines its content.
struct DemoArticle {
  /// The number of articles.
  static let count = 180

  private let number: Int

  init(number: Int) { self.number = number }

  func write(to writer: inout JSONWriter) {
    var random = SplitMix64(seed: UInt64(number) << 8 | 11)
    let subject = DemoArticle.subjects[number * 7 % DemoArticle.subjects.count]
    let title = DemoArticle.titles[Int.random(in: 0..<DemoArticle.titles.count, using: &random)]
    let words = title.split(separator: "*", omittingEmptySubsequences: false)
    let other = DemoArticle.tags[Int.random(in: 0..<DemoArticle.tags.count, using: &random)]
    writer.beginObject()
    writer.member("id", "a" + String(2_000 - number))
    writer.member("title", words.joined(separator: subject.name))
    writer.member("tags", Set([subject.tag, other]).sorted())
    writer.member("user", DemoArticle.users[Int.random(in: 0..<DemoArticle.users.count, using: &random)])
    writer.member("likes_count", Int.random(in: 0...7, using: &random) * Int.random(in: 0...60, using: &random))
    writer.member("created_at", DemoTime.text(number: number))
    writer.endObject()
  }

  private static let subjects: [(name: String, tag: String)] = [
    ("RxSwift", "RxSwift"), ("async/await", "Swift"), ("SwiftUI", "SwiftUI"), ("Combine", "Combine"),
    ("Swift Testing", "Swift"), ("UICollectionView", "iOS"), ("VIPER", "設計"), ("Flux", "設計"), ("MVVM", "設計"),
    ("JSON-RPC", "JSON"), ("Codable", "Swift"), ("TypeScript", "TypeScript"), ("React", "React"),
    ("PostgreSQL", "SQL"), ("Docker", "Docker"), ("Git", "Git"), ("Vim", "Vim"),
  ]

  /// The subject replaces each star.
  private static let titles = [
    "*を使ってサンプルを作成する", "*入門: 最初の一歩", "*でハマったこと5選", "*のテストを書く", "*のメモリリークを調べる",
    "*とページング", "*を1年運用してわかったこと", "図で理解する*", "*のエラー処理を整理する", "Getting started with *",
    "* in production: what broke", "A debounced search with *", "Testing * without sleeping", "* by small examples",
    "Why we left *, and came back", "Infinite scrolling with *", "*: the parts nobody reads",
  ]

  private static let tags = ["Swift", "iOS", "初心者", "設計", "test", "Linux", "macOS", "performance"]

  private static let users = [
    "kumonos", "hikari_t", "mbrennan", "noahs", "yukimura", "okafor", "sakana_dev", "tategaki", "lferri", "aoi_k",
  ]
}
