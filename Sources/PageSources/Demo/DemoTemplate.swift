/// The template of a letter. It has placeholders such as `{weekday}`, which each mail replaces with other words.
struct DemoTemplate {
  /// The language of the letter.
  enum Language { case english, japanese }

  let language: Language
  /// The sender; nil if it is one of the people.
  let sender: String?
  let subject: String
  /// The sentences in their order. The first is always kept.
  let sentences: [String]
  /// The replies in their order.
  let replies: [String]

  /// A letter from a person, with its replies.
  static func personal(
    _ language: Language, _ subject: String, _ sentences: [String], replies: [String]
  ) -> DemoTemplate {
    DemoTemplate(language: language, sender: nil, subject: subject, sentences: sentences, replies: replies)
  }

  /// A letter in English without replies.
  static func english(_ subject: String, from sender: String, _ sentences: String...) -> DemoTemplate {
    DemoTemplate(language: .english, sender: sender, subject: subject, sentences: sentences, replies: [])
  }

  /// A letter in Japanese without replies.
  static func japanese(_ subject: String, from sender: String, _ sentences: String...) -> DemoTemplate {
    DemoTemplate(language: .japanese, sender: sender, subject: subject, sentences: sentences, replies: [])
  }
}
