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

  /// Whether a person wrote it, who may get a reply.
  var isFromPerson: Bool { sender == nil }

  /// A letter in English.
  static func english(_ subject: String, from sender: String? = nil, _ sentences: String...) -> DemoTemplate {
    DemoTemplate(language: .english, sender: sender, subject: subject, sentences: sentences)
  }

  /// A letter in Japanese.
  static func japanese(_ subject: String, from sender: String? = nil, _ sentences: String...) -> DemoTemplate {
    DemoTemplate(language: .japanese, sender: sender, subject: subject, sentences: sentences)
  }
}

/// What one mail has for the blanks of its template.
struct DemoBlanks {
  private let words: [String: String]
  /// Who writes: a name and an address.
  let person: String
  /// Another who could have written.
  let otherPerson: String

  /// Chooses words.
  ///
  /// - Parameters:
  ///   - language: the template's language.
  ///   - month: the month in which the mail came, from 1.
  ///   - random: the mail's chance.
  init(language: DemoTemplate.Language, month: Int, using random: inout SplitMix64) {
    let isEnglish = language == .english
    func pick(_ table: [String]) -> String { table[Int.random(in: 0..<table.count, using: &random)] }
    let people = isEnglish ? DemoTables.englishPeople : DemoTables.japanesePeople
    let writer = Int.random(in: 0..<people.count, using: &random)
    person = people[writer]
    otherPerson = people[(writer + 1) % people.count]
    let thousands = Int.random(in: 2...89, using: &random)
    let rest = Int.random(in: 100...999, using: &random)
    words = [
      "name": String(person.prefix { $0 != " " }),
      "project": pick(isEnglish ? DemoTables.englishProjects : DemoTables.japaneseProjects),
      "weekday": pick(isEnglish ? DemoTables.englishWeekdays : DemoTables.japaneseWeekdays),
      "time": pick(["9:30", "10:00", "11:15", "13:30", "14:00", "15:00", "16:30"]),
      "room": pick(isEnglish ? DemoTables.englishRooms : DemoTables.japaneseRooms),
      "city": pick(isEnglish ? DemoTables.englishCities : DemoTables.japaneseCities),
      "repository": pick(DemoTables.repositories),
      "branch": pick(DemoTables.branches),
      "number": String(Int.random(in: 120...990, using: &random)),
      "long": String(Int.random(in: 2_000_000...9_000_000, using: &random)),
      "small": String(Int.random(in: 2...14, using: &random)),
      "amount": isEnglish ? "\(thousands).\(rest % 100 / 10)0" : "\(thousands),\(rest)",
      "month": isEnglish ? DemoTables.englishMonths[month - 2] : String(month - 1),
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
