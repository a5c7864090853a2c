internal import WireJSON

extension DemoTables {
  /// The mails between people, and their replies.
  static let conversations: [DemoTemplate] = [
    .personal(
      .english, "Agenda for {weekday}",
      [
        "Hi all, here is a first draft of the agenda for {weekday}.",
        "We start with what was left open last time and then turn to {project}.",
        "Please add your own points by {time}.",
        "I'd like to stay under an hour.", "If you can't be there, send me a line beforehand.", "See you in {room}.",
      ],
      replies: [
        "Thanks, that works for me. I'll add my points tonight.",
        "Could we take the second point first? I have to leave half an hour early.",
        "I can't make it, but go ahead without me. My notes are in the document. {name}",
      ]),
    .personal(
      .english, "First draft: {project}",
      [
        "I have written down how I think we should go about {project}.", "It is {small} pages, most of them pictures.",
        "The part about costs is still a guess.", "Tell me what is missing and what can go.",
        "I'd be glad to have your remarks by {weekday}.",
      ],
      replies: [
        "I read it on the train and have only two small remarks, both in the document. From my side it's ready.",
        "The pictures help a lot. Page 4 could go, I think: nobody will remember those numbers.",
      ]),
    .personal(
      .english, "Question about {project}",
      [
        "Do you remember why we left {city} out of {project}?", "A customer has asked for it twice this week.",
        "I looked through the old notes and found nothing.", "It looks like half a day of work to me.",
        "If there is no reason against it, I'd start on {weekday}.",
      ],
      replies: [
        "I think it was only a matter of time back then. No reason against it that I know of.",
        "One warning: the old sheet counts some places twice. Check the sums before you import anything.",
      ]),
    .personal(
      .english, "Photos from {city}",
      [
        "The photos from {city} are sorted at last.", "There are {many} of them, and {small} are good.",
        "Take whatever you like.", "The one with the umbrella is my favourite.", "Let's do that again in spring.",
      ],
      replies: [
        "These are lovely! May I use the one with the boats for the office wall?",
        "In spring, yes. I'll bring the map this time.",
      ]),
    .personal(
      .english, "Lunch on {weekday}?",
      [
        "Are you in the office on {weekday}?", "The noodle place around the corner has opened again.",
        "I could book a table for {time}.", "Bring whoever is hungry.",
      ], replies: ["I am, and I'm hungry already.", "Perfect, see you then!"]),
    .personal(
      .english, "Handover before my holiday",
      [
        "I'm away from {weekday} on, for {small} days.", "Everything about {project} is in the shared folder.",
        "Luca has the keys and knows the people in {city}.",
        "The only thing that can't wait is the certificate, which runs out while I'm gone.",
        "For anything urgent, call me.",
      ], replies: ["Got it. I'll renew the certificate tomorrow, so it's off your list. Have a good time!"]),
    .personal(
      .japanese, "{weekday}の定例について",
      [
        "お疲れさまです。{name}です。", "{weekday}の定例は{time}から、場所は{room}です。", "議題は{project}の進捗と、来月の予定の2点です。",
        "追加したい議題があれば、前日までにお知らせください。", "欠席の方は事前にご連絡をお願いします。",
      ],
      replies: [
        "承知しました。議題に採用の件を追加させてください。", "すみません、その日は{city}に出張のため、オンラインで参加します。", "了解です。資料は当日の朝までに共有します。",
      ]),
    .personal(
      .japanese, "【ご相談】{project}の見積もり",
      [
        "いつもお世話になっております。", "{project}の見積もりについてご相談があります。", "当初の想定より作業が増え、{small}日ほど延びそうです。",
        "範囲を減らす案と、公開を遅らせる案を添付しました。", "{weekday}までにご意見をいただけますと幸いです。",
      ],
      replies: ["ご連絡ありがとうございます。社内で確認のうえ、明日の午前中にお返事します。", "範囲を減らす案で進めてください。詳細は次回の打ち合わせで決めましょう。"]),
    .personal(
      .japanese, "来週の{city}出張の件",
      [
        "来週の{city}出張ですが、日程が決まりました。", "{weekday}の朝に出発し、翌日の夕方に戻ります。", "先方との打ち合わせは{time}からです。",
        "宿は駅の近くで2部屋押さえてあります。", "手土産は私のほうで用意します。",
      ], replies: ["手配ありがとうございます、とても助かります。切符は各自で買えばよいでしょうか。", "はい、切符は各自でお願いします。"]),
    .personal(
      .japanese, "資料のご確認のお願い（{project}）",
      [
        "{project}の資料をまとめました。", "全部で{small}ページあります。", "特に3ページ目の図をご覧いただきたいです。", "数字は先月末の時点のものです。",
        "お手すきの際にご確認をお願いいたします。",
      ], replies: ["確認しました。内容に問題ありませんので、このまま進めてください。", "3ページ目の図ですが、凡例の色が逆のようです。それ以外は大丈夫です。"]),
    .personal(
      .japanese, "忘年会のお知らせ",
      [
        "今年も忘年会の季節になりました。", "12月の第2{weekday}、19時からを予定しています。", "会場は駅前の鍋のお店です。",
        "参加できる方は今週中にお返事ください。", "食べられないものがあれば教えてください。",
      ], replies: ["参加します！楽しみにしています。", "少し遅れますが、参加でお願いします。"]),
    .personal(
      .japanese, "週末のハイキング",
      [
        "天気がよさそうなので、土曜日に山へ行きませんか。", "{city}の駅に8時集合でどうでしょう。", "ゆっくり歩いて{small}キロほどです。",
        "お弁当は各自でお願いします。", "雨なら来週にしましょう。",
      ], replies: ["行きます！おにぎりを多めに作っていきますね。", "8時は少し早いので、9時だとうれしいです。"]),
  ]
}

extension DemoTables {
  /// The mails of tools and departments at work.
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

  /// The mails of shops, hosts and newsletters.
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
