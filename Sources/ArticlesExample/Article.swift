import Nagare

/// What the list shows: an object on the wire.
struct Article: Codable, Identifiable {
  let id: String
  let title: String
}
