/// What a mail of the demo says, and who says it.
struct DemoLetter {
  let subject: String
  let sender: String
  let body: String

  /// Writes a letter: a reply to an older one now and then, else one of the templates.
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
    // The opening stands; of the rest some are left out.
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

  /// The letter that a mail answers, and how many answered it before; nil if it begins something of its own.
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

  /// Which template a mail follows if it is no reply.
  private static func template(_ number: Int) -> DemoTemplate {
    var random = DemoMail.random(number, 4)
    let choice = Int.random(in: 0..<100, using: &random)
    let kind = choice < 40 ? DemoTables.conversations : choice < 75 ? DemoTables.work : DemoTables.services
    return kind[Int.random(in: 0..<kind.count, using: &random)]
  }
}
