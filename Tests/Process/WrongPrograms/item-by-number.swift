// 'subscript(_:)' is unavailable: use item(at: 0), or items[id] with the id of an item
import Nagare

struct Article: Codable, Identifiable {
  let id: String
  let title: String
}

func title(_ articles: Items<Article>) -> String { articles[0].title }
