internal import WireJSON

/// A restaurant of the demo's restaurant guide.
struct DemoShop {
  let name: String
  let genre: String
  let area: String
  /// The price of a meal in yen.
  let price: Int
  /// The rating, from 0 to 5 stars.
  let rating: Double
  let note: String

  private init(_ name: String, _ genre: String, _ area: String, _ price: Int, _ rating: Double, _ note: String) {
    (self.name, self.genre, self.area, self.price, self.rating, self.note) = (name, genre, area, price, rating, note)
  }

  func write(_ number: Int, to writer: inout JSONWriter) {
    let digits = String(number + 1)
    writer.beginObject()
    writer.member("id", "s" + (digits.count < 2 ? "0" : "") + digits)
    writer.member("name", name)
    writer.member("genre", genre)
    writer.member("area", area)
    writer.member("price", price)
    writer.member("rating", rating)
    writer.member("note", note)
    writer.endObject()
  }

  /// All restaurants. A search for a genre finds only the restaurants of that genre, because its name doesn't occur
  /// elsewhere.
  static let all = [
    DemoShop("麺屋 しおさい", "ramen", "Ebisu", 950, 4.3, "Clear salt broth with clams; closes when the soup is gone."),
    DemoShop("Curry House Tamarind", "curry", "Shimokitazawa", 1200, 4.2, "South Indian plates, six kinds of chutney."),
    DemoShop("鮨 はるみ", "sushi", "Tsukiji", 4800, 4.6, "Eight seats at the counter, fish from the morning market."),
    DemoShop("手打ちそば 山葵庵", "soba", "Kanda", 1100, 4.4, "Buckwheat milled in the window every morning."),
    DemoShop("Torii Noodles", "ramen", "Shinjuku", 1050, 4.1, "Chicken broth, thick as cream. Open until 2 at night."),
    DemoShop("Café Lantern", "cafe", "Kichijoji", 850, 4.0, "Pour-over coffee and a garden with two cats."),
    DemoShop(
      "お好み焼き 花火", "okonomiyaki", "Asakusa", 1300, 4.2, "You fry at your own table; the staff rescues beginners."),
    DemoShop("Spice Depot", "curry", "Akihabara", 980, 3.9, "Choose your heat from 1 to 30. Few order above 12."),
    DemoShop("味噌蔵 一番", "ramen", "Ikebukuro", 900, 3.8, "Three kinds of miso, corn and butter on top."),
    DemoShop("回転寿司 みなと", "sushi", "Ueno", 1800, 3.7, "Plates on a belt from 130 yen; the grilled salmon goes fast."),
    DemoShop(
      "Soba Ishibashi", "soba", "Roppongi", 1900, 4.1, "Duck and leek in winter, cold with grated radish in summer."),
    DemoShop("喫茶 銀の匙", "cafe", "Jimbocho", 700, 4.3, "Books to the ceiling, thick toast, melon soda."),
    DemoShop("中華そば 青空", "ramen", "Ogikubo", 850, 4.5, "Soy sauce broth as in 1954, with a slice of naruto."),
    DemoShop("Green Cardamom", "curry", "Nakameguro", 1400, 4.4, "Thai green and Sri Lankan black on one plate."),
    DemoShop(
      "Okonomiyaki Kuro", "okonomiyaki", "Shibuya", 1500, 4.0, "Hiroshima style with noodles inside; late at night too."
    ),
    DemoShop("立ち食い鮨 かもめ", "sushi", "Shinbashi", 2200, 4.2, "Standing only, eleven pieces in twenty minutes."),
    DemoShop("らーめん 月と兎", "ramen", "Nakano", 1000, 4.4, "Pork bones boiled for two days; firm thin noodles."),
    DemoShop("蕎麦処 松の実", "soba", "Nihonbashi", 1500, 4.5, "The owner grows his buckwheat in Nagano."),
    DemoShop(
      "Roastery Northside", "cafe", "Kiyosumi", 900, 4.4, "Beans roasted on Tuesdays; the smell reaches the canal."),
    DemoShop("カレー食堂 ひだまり", "curry", "Koenji", 880, 4.1, "Keema with a soft egg. Children eat at half the price."),
    DemoShop("辛味噌 赤鬼", "ramen", "Takadanobaba", 980, 4.0, "Hot miso in five grades; the fifth needs a signature."),
    DemoShop("Sushi Bar Umi", "sushi", "Aoyama", 6500, 4.5, "Twelve pieces as the chef likes, with sake to match."),
    DemoShop("Noodle Lab 7", "ramen", "Ebisu", 1250, 4.2, "Citrus and duck; the menu changes every month."),
    DemoShop("Bombay Bazaar", "curry", "Ginza", 1600, 3.8, "Northern dishes and bread from the clay oven."),
    DemoShop("道頓 お好み亭", "okonomiyaki", "Ueno", 1150, 3.9, "Osaka style with mountain yam, a crisp edge."),
    DemoShop("Café Atlas", "cafe", "Daikanyama", 1100, 3.9, "Maps on the walls, cardamom buns at ten."),
    DemoShop("更科 しらたま", "soba", "Azabu", 1700, 4.3, "White soba from the heart of the grain."),
    DemoShop("つけ麺 大河", "ramen", "Ikebukuro", 1100, 4.3, "Dipping noodles, 400 g at no extra charge."),
    DemoShop("鮨処 雪見", "sushi", "Kagurazaka", 8800, 4.7, "Winter yellowtail; book two weeks ahead."),
    DemoShop(
      "Soup Curry Otaru", "curry", "Kichijoji", 1350, 4.2, "Hokkaido style, a whole chicken leg and ten vegetables."),
    DemoShop(
      "Okonomi Garden", "okonomiyaki", "Shimokitazawa", 1250, 4.1,
      "Vegetables from Kamakura, one with cheese and basil."),
    DemoShop("深夜麺 灯台", "ramen", "Shinbashi", 800, 3.7, "For the last train and after. Dumplings until four."),
    DemoShop("そばカフェ こみち", "soba", "Yanaka", 1300, 4.0, "Buckwheat crêpes in the afternoon."),
    DemoShop("Matcha Corner", "cafe", "Asakusa", 750, 3.8, "Seven grades of matcha ice."),
    DemoShop("海鮮すし 大漁", "sushi", "Tsukiji", 2600, 4.1, "Bowls heaped with roe from six in the morning."),
    DemoShop("Curry Stand Monsoon", "curry", "Shibuya", 780, 4.0, "Eight stools, two dishes, always a queue."),
    DemoShop("お好み焼き ひなた", "okonomiyaki", "Nakano", 1050, 4.3, "Run by three sisters; the squid one is the best."),
    DemoShop("夜鳴きそば処 梟", "soba", "Ikebukuro", 900, 3.9, "Hot soba with fried tofu until five in the morning."),
    DemoShop("Ramen Hoshizora", "ramen", "Kichijoji", 1150, 4.6, "Vegetable broth with sesame; no meat at all."),
    DemoShop("喫茶 青い鳥", "cafe", "Ogikubo", 650, 4.2, "Coffee jelly, and jazz on records."),
  ]
}
