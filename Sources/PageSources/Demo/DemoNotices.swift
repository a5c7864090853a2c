extension DemoTables {
  /// What the tools and departments at work send.
  static let work: [DemoTemplate] = [
    .english(
      "[{repository}] Build #{build} failed on {branch}", from: "CI <builds@example.net>",
      "Build #{build} of {repository} failed after {small} minutes.", "The step \"test\" ended with exit code 1.",
      "{few} of {many} checks failed, all in ScrollPositionTests.", "The last commit on {branch} is by Tom Okafor.",
      "The build before it was green."),
    .english(
      "[{repository}] Build #{build} is green again", from: "CI <builds@example.net>",
      "Build #{build} of {repository} passed in {small} minutes.", "It was broken for {few} hours.",
      "The artefacts of {branch} are kept for 30 days."),
    .english(
      "[{repository}] Review requested (#{change})", from: "Code review <review@example.org>",
      "Priya Raman asks for your review of #{change} in {repository}.", "It changes {small} files on {branch}.",
      "The description says: keep the scroll position when a page comes late.", "Nobody else has looked at it yet."),
    .english(
      "Invitation: review of {project}, {weekday} {time}", from: "Calendar <calendar@example.com>",
      "You are invited to a review of {project} on {weekday} at {time}.", "It takes 45 minutes, in {room}.",
      "Clara Lindqvist organizes it.", "{small} people have accepted so far."),
    .english(
      "Deployed to staging: {repository} #{change}", from: "Deploy <deploy@example.net>",
      "Change #{change} of {repository} is on staging now.", "It took {small} minutes.",
      "Please look at it before {time}; it goes live tomorrow morning."),
    .english(
      "Maintenance on {weekday} at {time}", from: "IT <it@example.com>",
      "The network will be down for {small} minutes on {weekday} from {time} on.",
      "Save your work before, and sign in again after.", "Telephones are not affected."),
    .japanese(
      "招待: {project}レビュー（{weekday} {time}）", from: "カレンダー <calendar@example.jp>",
      "{weekday}の{time}から「{project}レビュー」に招待されました。", "場所は{room}です。", "主催者は高橋 由美さんです。", "参加の可否をお知らせください。"),
    .japanese(
      "{month}月の勤怠の締めについて", from: "総務部 <soumu@example.jp>", "{month}月分の勤怠の締め切りは{weekday}です。",
      "未入力の日がある方は早めに登録をお願いします。", "交通費の精算も同じ日までです。", "ご不明な点は総務部までお問い合わせください。"),
    .japanese(
      "議事録: {project}定例", from: "議事録 <minutes@example.jp>", "本日の{project}定例の議事録を公開しました。", "決定事項は{few}件、宿題は{small}件です。",
      "次回は{weekday}の{time}からです。", "修正があれば{weekday}までに直接書き込んでください。"),
    .japanese(
      "【お知らせ】{room}の予約について", from: "総務部 <soumu@example.jp>", "来週の{weekday}は{room}が使えません。",
      "{time}からは通常どおりご利用いただけます。", "ご不便をおかけしますが、ご協力をお願いします。"),
  ]

  /// What shops, hosts and newsletters send.
  static let services: [DemoTemplate] = [
    .english(
      "Your invoice {long} for {month}", from: "Northlight Hosting <billing@example.com>",
      "Your invoice for {month} is ready.", "The amount is EUR {amount}.", "We will debit your account within 7 days.",
      "You have used {small} percent of your traffic."),
    .english(
      "Your ticket to {city}", from: "Overland Rail <tickets@example.org>",
      "Thank you for travelling with us to {city} on {weekday}.", "Your train leaves at {time}, coach {small}.",
      "Please show this mail on board.", "Seats can be changed until an hour before departure."),
    .english(
      "New sign-in from {city}", from: "Account security <no-reply@example.net>",
      "Somebody signed in to your account from {city}.",
      "It was {weekday} at {time}, on a computer we haven't seen before.", "If it was you, there is nothing to do.",
      "If it wasn't, change your password now."),
    .english(
      "The Slow Terminal, issue {issue}", from: "The Slow Terminal <letters@example.org>",
      "In this issue: why lists scroll and people don't.",
      "A reader from {city} has counted the keys she presses in a day.",
      "We look back at twenty years of plain text mail.", "Our book of the month has {many} pages and no pictures.",
      "You get this letter because you asked for it."),
    .japanese(
      "ご注文の商品を発送しました（注文番号 {long}）", from: "ひつじ書店 <order@example.jp>", "ご注文いただいた商品を本日発送しました。",
      "お届けは{weekday}の予定です。", "お支払い金額は{amount}円です。", "またのご利用をお待ちしております。"),
    .japanese(
      "【請求書】{month}月分のご請求", from: "みどり電力 <billing@example.jp>", "{month}月分の電気料金をお知らせします。",
      "ご請求金額は{amount}円です。", "前月より{small}パーセント減りました。", "お引き落としは27日の予定です。"),
    .japanese(
      "今週の本棚 第{issue}号", from: "ひつじ書店 <letters@example.jp>", "今週は{city}を舞台にした小説を3冊ご紹介します。",
      "店長のおすすめは、静かな港町の話です。", "{weekday}の{time}から、オンラインの読書会を開きます。", "配信の停止はマイページからお手続きください。"),
  ]
}
