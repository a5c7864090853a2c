/// The words in the demo's mails.
enum DemoTables {
  static let englishPeople = [
    "Clara Lindqvist <clara.lindqvist@example.com>", "Tom Okafor <tom.okafor@example.org>",
    "Priya Raman <priya.raman@example.com>", "Daniel Weiss <d.weiss@example.net>",
    "Maeve Brennan <maeve@example.org>", "Luca Ferri <luca.ferri@example.com>",
    "Grace Tanaka <grace.tanaka@example.jp>", "Noah Silva <noah.silva@example.net>",
  ]
  static let japanesePeople = [
    "佐藤 美咲 <m.sato@example.jp>", "鈴木 健太 <kenta.suzuki@example.jp>", "高橋 由美 <takahashi@example.jp>",
    "田中 翔 <sho.tanaka@example.com>", "渡辺 直子 <naoko.watanabe@example.jp>", "伊藤 亮 <r.ito@example.org>",
    "山本 さくら <sakura.y@example.jp>", "中村 大輔 <d.nakamura@example.jp>",
  ]
  static let englishProjects = [
    "the harbour map", "the booking app", "the winter catalogue", "the billing move", "the search page", "the archive",
  ]
  static let japaneseProjects = ["予約アプリ", "在庫管理システム", "秋のカタログ", "採用サイト", "検索画面", "決済基盤の移行"]
  static let englishWeekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
  static let japaneseWeekdays = ["月曜日", "火曜日", "水曜日", "木曜日", "金曜日"]
  static let englishRooms = ["the small meeting room", "room 4.12", "the library", "the usual call"]
  static let japaneseRooms = ["第2会議室", "3階の打ち合わせスペース", "オンライン", "本社の大会議室"]
  static let englishCities = ["Lisbon", "Kyoto", "Gothenburg", "Bologna", "Galway", "Sendai"]
  static let japaneseCities = ["京都", "札幌", "金沢", "福岡", "松本", "仙台"]
  static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  static let repositories = ["harbour/web", "harbour/tiles", "booking-api", "mail-index", "design-tokens"]
  static let branches = ["main", "release/2.4", "fix/slow-scroll", "feature/offline", "update-dependencies"]
}
