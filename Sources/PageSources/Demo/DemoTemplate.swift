internal import Randomness

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

/// What one mail has for the blanks of its template.
struct DemoBlanks {
  /// Who writes: a name and an address.
  let person: String
  /// Another who could have written.
  let otherPerson: String
  private let words: [String: String]

  /// Chooses words.
  ///
  /// - Parameters:
  ///   - language: the template's language.
  ///   - number: the mail's place from 0, the newest first, so that what is counted is smaller in older mails.
  ///   - random: the mail's chance.
  init(language: DemoTemplate.Language, number: Int, using random: inout SplitMix64) {
    let isEnglish = language == .english
    func pick(_ table: [String]) -> String { table[Int.random(in: 0..<table.count, using: &random)] }
    func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let people = isEnglish ? DemoTables.englishPeople : DemoTables.japanesePeople
    let writer = count(0...people.count - 1)
    person = people[writer]
    otherPerson = people[(writer + 1) % people.count]
    let month = DemoTime.month(ofDay: number / DemoTime.perDay) - 1
    words = [
      "name": String(person.prefix { $0 != " " }),
      "project": pick(isEnglish ? DemoTables.englishProjects : DemoTables.japaneseProjects),
      "weekday": pick(isEnglish ? DemoTables.englishWeekdays : DemoTables.japaneseWeekdays),
      "time": pick(["9:30", "10:00", "11:15", "13:30", "14:00", "15:00", "16:30"]),
      "room": pick(isEnglish ? DemoTables.englishRooms : DemoTables.japaneseRooms),
      "city": pick(isEnglish ? DemoTables.englishCities : DemoTables.japaneseCities),
      "repository": pick(DemoTables.repositories),
      "branch": pick(DemoTables.branches),
      "build": String(2_190 - 3 * number),
      "change": String(871 - number),
      "issue": String(240 - number / 12),
      "long": String(count(2_000_000...9_000_000)),
      "many": String(count(120...990)),
      "small": String(count(4...14)),
      "few": String(count(2...3)),
      "amount": isEnglish ? "\(count(8...64)).\(count(1...9))0" : "\(count(2...14)),\(count(100...990))",
      "month": isEnglish ? DemoTables.englishMonths[month - 1] : String(month),
    ]
  }

  /// A text with its blanks filled.
  ///
  /// - Parameter text: a text in which names of blanks stand in braces.
  /// - Returns: the text with words in their place.
  func fill(_ text: String) -> String {
    var filled = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      filled += rest[..<open]
      filled += words[String(rest[rest.index(after: open)..<close])] ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return filled + rest
  }
}
