import Nagare

/// A channel, as the list of channels shows it.
struct Channel: Codable, Identifiable, Equatable {
  let id: String
  let topic: String
  /// The number of messages that the user hasn't read.
  var unread = 0
}

/// A message of a channel.
struct Message: Codable, Identifiable, Equatable {
  let id: String
  let channel: Channel.ID
  let author: String
  var text: String
  var images: [Image] = []
  /// The time at which the server received the message; nil until then.
  var sent: String?
}

/// An image that is attached to a message. Frontends show an array of such objects as files.
struct Image: Codable, Equatable {
  let name, type, url: String
}

/// What other people see of a user.
struct Profile: Codable, Equatable {
  var name = ""
  /// The address of the user's picture.
  var image: String?
}
