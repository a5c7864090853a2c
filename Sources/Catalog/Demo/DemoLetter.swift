/// What a mail of the demo says, and who says it.
struct DemoLetter {
  let subject: String
  let sender: String
  let body: String

  /// Writes a letter: a reply to an older one now and then, else one of the templates.
  ///
  /// - Parameters:
  ///   - number: the mail's place, the newest first.
  ///   - time: when it came.
  ///   - random: the mail's chance.
  init(number: Int, time: DemoTime, using random: inout SplitMix64) {
    let template = DemoLetter.template(number)
    let older = (number + 1..<number + 9).filter {
      $0 < DemoMail.count && DemoLetter.template($0).isFromPerson && !DemoLetter.isReply($0)
    }
    if DemoLetter.isReply(number), let origin = older.first {
      self.init(replyingTo: DemoMail(number: origin), template: DemoLetter.template(origin), using: &random)
    } else {
      self.init(template, month: time.month, using: &random)
    }
  }

  private init(_ template: DemoTemplate, month: Int, using random: inout SplitMix64) {
    let blanks = DemoBlanks(language: template.language, month: month, using: &random)
    subject = blanks.fill(template.subject)
    sender = template.sender ?? blanks.person
    // The opening stands; of the rest some are left out.
    var sentences = Array(template.sentences.dropFirst())
    let wanted = Int.random(in: min(2, sentences.count)...sentences.count, using: &random)
    while sentences.count > wanted { sentences.remove(at: Int.random(in: 0..<sentences.count, using: &random)) }
    let separator = template.language == .english ? " " : ""
    body = blanks.fill(([template.sentences[0]] + sentences).joined(separator: separator))
  }

  private init(replyingTo origin: DemoMail, template: DemoTemplate, using random: inout SplitMix64) {
    let isEnglish = template.language == .english
    let blanks = DemoBlanks(language: template.language, month: 11, using: &random)
    let replies = isEnglish ? DemoTables.englishReplies : DemoTables.japaneseReplies
    subject = "Re: " + origin.subject
    sender = blanks.person == origin.sender ? blanks.otherPerson : blanks.person
    body = blanks.fill(replies[Int.random(in: 0..<replies.count, using: &random)])
  }

  /// Which template a mail follows, whether or not it becomes a reply.
  private static func template(_ number: Int) -> DemoTemplate {
    var random = DemoMail.random(number)
    let choice = Int.random(in: 0..<100, using: &random)
    let kind = choice < 45 ? DemoTables.conversations : choice < 75 ? DemoTables.work : DemoTables.services
    return kind[Int.random(in: 0..<kind.count, using: &random)]
  }

  private static func isReply(_ number: Int) -> Bool {
    var random = DemoMail.random(number)
    return random.next() % 100 < 28
  }
}
