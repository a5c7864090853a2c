/// A letter with blanks, such as `{weekday}`, that each mail fills in its own way.
struct DemoTemplate {
  /// Which language it is in.
  enum Language { case english, japanese }

  let language: Language
  /// Who sends it; nil for one of the people.
  let sender: String?
  let subject: String
  /// In order; the first is never left out.
  let sentences: [String]
  /// What others answer, in order.
  let replies: [String]

  /// A letter from a person, and what comes back.
  static func personal(
    _ language: Language, _ subject: String, _ sentences: [String], replies: [String]
  ) -> DemoTemplate {
    DemoTemplate(language: language, sender: nil, subject: subject, sentences: sentences, replies: replies)
  }

  /// A letter in English that nobody answers.
  static func english(_ subject: String, from sender: String, _ sentences: String...) -> DemoTemplate {
    DemoTemplate(language: .english, sender: sender, subject: subject, sentences: sentences, replies: [])
  }

  /// A letter in Japanese that nobody answers.
  static func japanese(_ subject: String, from sender: String, _ sentences: String...) -> DemoTemplate {
    DemoTemplate(language: .japanese, sender: sender, subject: subject, sentences: sentences, replies: [])
  }
}
