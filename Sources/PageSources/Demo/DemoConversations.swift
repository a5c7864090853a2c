extension DemoTables {
  /// What people write to each other, and what they answer.
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
