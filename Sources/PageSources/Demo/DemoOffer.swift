internal import WireJSON

/// An offer of the demo's flea market.
struct DemoOffer {
  let title: String
  /// The price in yen.
  let price: Int
  let condition: String
  let seller: String
  let place: String
  let likes: Int

  private init(_ title: String, _ price: Int, _ condition: String, _ seller: String, _ place: String, _ likes: Int) {
    (self.title, self.price, self.condition, self.seller) = (title, price, condition, seller)
    (self.place, self.likes) = (place, likes)
  }

  func write(_ number: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    // The newest offer has the highest id.
    writer.member("id", 8_400 + DemoOffer.all.count - number)
    writer.member("title", title)
    writer.member("price", price)
    writer.member("condition", condition)
    writer.member("seller", seller)
    writer.member("place", place)
    writer.member("likes", likes)
    writer.endObject()
  }

  /// All offers, the newest first.
  static let all = [
    DemoOffer("Film camera with 50 mm lens", 12800, "good", "haru_photo", "Setagaya", 34),
    DemoOffer("木製の本棚 3段", 3500, "small scratches", "mokumoku", "Suginami", 12),
    DemoOffer("Rain boots, 24 cm, yellow", 1200, "like new", "ponta88", "Koto", 8),
    DemoOffer("電子ピアノ 88鍵 椅子付き", 28000, "good", "sonatine", "Nerima", 57),
    DemoOffer("Bouldering shoes EU 41", 4200, "used", "crux", "Shinjuku", 5),
    DemoOffer("ベビーカー 折りたたみ", 6000, "good", "sora_mama", "Meguro", 21),
    DemoOffer("Hand-thrown tea bowls, set of 4", 5400, "new", "kiln_no_5", "Machida", 40),
    DemoOffer("graphic novels, box of 30", 2800, "used", "panel_by_panel", "Nakano", 16),
    DemoOffer("折りたたみ自転車 20インチ", 9800, "small scratches", "pedal", "Edogawa", 29),
    DemoOffer("Espresso machine, one group", 15500, "good", "crema", "Minato", 33),
    DemoOffer("炊飯器 5.5合 2023年製", 5200, "good", "hinokuni", "Adachi", 11),
    DemoOffer("Tent for two, 1.9 kg", 11000, "like new", "ridge_line", "Hachioji", 26),
    DemoOffer("Mechanical keyboard, US layout", 7600, "like new", "clack", "Chiyoda", 48),
    DemoOffer("観葉植物 モンステラ 大", 2500, "healthy", "midori_ya", "Ota", 19),
    DemoOffer("Record player with dust cover", 8900, "used", "b_side", "Shibuya", 37),
    DemoOffer("子供用スキーセット 120cm", 4000, "used", "yukiguni", "Itabashi", 6),
    DemoOffer("Sewing machine, overhauled", 9500, "good", "bobbin", "Katsushika", 14),
    DemoOffer("デスクライト 調光付き", 1800, "like new", "akari", "Bunkyo", 9),
    DemoOffer("Telescope, 80 mm refractor", 13200, "good", "orion", "Tama", 31),
    DemoOffer("着物 小紋 正絹", 6800, "good", "kasane", "Taito", 22),
    DemoOffer("Cast-iron pan, 26 cm", 2200, "seasoned", "okoge", "Toshima", 17),
    DemoOffer("将棋盤と駒のセット", 3900, "used", "gin_shogun", "Arakawa", 13),
    DemoOffer("Ukulele with soft case", 4600, "small scratches", "aloha3", "Shinagawa", 20),
    DemoOffer("Moving boxes, 15 pieces, free tape", 500, "used", "next_town", "Fuchu", 3),
  ]
}
