internal import WireJSON

/// The demo's invented data. It is the same in every run.
package enum DemoData: String, JSONStringEnum, Sendable {
  /// 320 mails, the newest first, each with `id`, `subject`, `sender`, `date` and `body`.
  case mails
  /// 180 articles for programmers, the newest first, each with `id`, `title`, `tags`, `user`, `likes_count` and
  /// `created_at`.
  case articles
  /// 40 places to eat, each with `id`, `name`, `genre`, `area`, `price`, `rating` and `note`.
  case shops
  /// 24 offers of a flea market, the newest first, each with `id`, `title`, `price`, `condition`, `seller`, `place` and
  /// `likes`.
  case offers

  /// The default number of items.
  var count: Int {
    switch self {
    case .mails: DemoMail.count
    case .articles: DemoArticle.count
    case .shops: DemoShop.all.count
    case .offers: DemoOffer.all.count
    }
  }

  /// The name of the data in messages.
  var title: String {
    switch self {
    case .mails: "the demo mailbox"
    case .articles: "the demo articles"
    case .shops: "the demo restaurant guide"
    case .offers: "the demo flea market"
    }
  }

  /// Writes the item with a number, from 0.
  func write(_ number: Int, of count: Int, to writer: inout JSONWriter) {
    switch self {
    case .mails: DemoMail(number: number, of: count).write(to: &writer)
    case .articles: DemoArticle(number: number).write(to: &writer)
    case .shops: DemoShop.all[number].write(number, to: &writer)
    case .offers: DemoOffer.all[number].write(number, to: &writer)
    }
  }
}
