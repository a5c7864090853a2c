/// The subject, sender and text of a demo mail.
struct DemoLetter {
  let subject: String
  let sender: String
  let body: String

  /// Writes the letter with a number: either a reply to an older letter, or a letter from a template.
  init(number: Int) {
    if let (origin, rank) = DemoLetter.thread(number) {
      self.init(number, replyTo: origin, rank: rank)
    } else {
      self.init(number)
    }
  }

  private init(_ number: Int) {
    var random = DemoMail.random(number, 1)
    let template = DemoLetter.template(number)
    let blanks = DemoBlanks(language: template.language, number: number, using: &random)
    subject = blanks.fill(template.subject)
    sender = template.sender ?? blanks.person
    // The first sentence is always kept. Some of the others are left out.
    var sentences = Array(template.sentences.dropFirst())
    let wanted = Int.random(in: min(2, sentences.count)...sentences.count, using: &random)
    while sentences.count > wanted { sentences.remove(at: Int.random(in: 0..<sentences.count, using: &random)) }
    let separator = template.language == .english ? " " : ""
    body = blanks.fill(([template.sentences[0]] + sentences).joined(separator: separator))
  }

  private init(_ number: Int, replyTo origin: Int, rank: Int) {
    var random = DemoMail.random(number, 2)
    let template = DemoLetter.template(origin)
    let original = DemoLetter(origin)
    let blanks = DemoBlanks(language: template.language, number: number, using: &random)
    subject = "Re: " + original.subject
    sender = blanks.person == original.sender ? blanks.otherPerson : blanks.person
    body = blanks.fill(template.replies[rank])
  }

  /// Returns the number of the letter that a mail answers, and the number of earlier replies. Nil if the mail isn't a
  /// reply.
  private static func thread(_ number: Int) -> (origin: Int, rank: Int)? {
    guard isReply(number) else { return nil }
    let last = min(number + 12, DemoMail.count - 1)
    guard number < last,
      let origin = (number + 1...last).first(where: { !isReply($0) && !template($0).replies.isEmpty })
    else { return nil }
    let rank = (number + 1..<origin).count { isReply($0) }
    return rank < template(origin).replies.count ? (origin, rank) : nil
  }

  private static func isReply(_ number: Int) -> Bool {
    var random = DemoMail.random(number, 3)
    return Int.random(in: 0..<100, using: &random) < 32
  }

  /// Returns the template of a mail that isn't a reply.
  private static func template(_ number: Int) -> DemoTemplate {
    var random = DemoMail.random(number, 4)
    let choice = Int.random(in: 0..<100, using: &random)
    let kind = choice < 40 ? DemoTables.conversations : choice < 75 ? DemoTables.work : DemoTables.services
    return kind[Int.random(in: 0..<kind.count, using: &random)]
  }
}
