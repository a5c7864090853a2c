internal import Randomness

/// The words that replace the placeholders of a mail's template.
struct DemoBlanks {
  /// The sender: a name and an address.
  let person: String
  /// Another possible sender.
  let otherPerson: String
  private let words: [String: String]

  /// Chooses the words. Running numbers, such as those of builds, are smaller in older mails.
  init(language: DemoTemplate.Language, number: Int, using random: inout SplitMix64) {
    let isEnglish = language == .english
    func pick(_ table: [String]) -> String { table[Int.random(in: 0..<table.count, using: &random)] }
    func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    let people = isEnglish ? DemoTables.englishPeople : DemoTables.japanesePeople
    let writer = count(0...people.count - 1)
    person = people[writer]
    otherPerson = people[(writer + 1) % people.count]
    let month = DemoTime.monthBefore(number: number)
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
      "month": isEnglish ? DemoTables.englishMonths[month] : String(month + 1),
    ]
  }

  /// Returns the text with its placeholders, the names in braces, replaced.
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
