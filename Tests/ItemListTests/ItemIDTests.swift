import ItemList
import Testing
import WireJSON

struct ItemIDTests {
  @Test func `ids are equal by type and value, and every spelling has the same hash`() throws {
    let (id, same) = try (ItemID("a"), #require(ItemID(RawJSON("\"\\u0061\""))))
    #expect(id == same)
    #expect(id.isEqual(to: Array("\"\\u0061\"".utf8).span) == true)
    #expect(ItemID(1).isEqual(to: Array("\"1\"".utf8).span) == false)
    #expect(ItemID.hash(of: Array("1.0".utf8).span) == ItemID.hash(of: ItemID(1).json.span))
  }

  @Test func `only strings and numbers are ids`() throws {
    for text in ["null", "true", "false", "{}", "[]"] { #expect(try ItemID(RawJSON(text)) == nil) }
  }

  @Test func `ids can be created from strings and integers`() throws {
    #expect(ItemID("a\"b").description == #""a\"b""#)
    #expect(ItemID(7).description == "7")
    #expect(try ItemID(Int.max) == ItemID(RawJSON("9223372036854775807")))
    #expect(try ItemID(Int.min) == ItemID(RawJSON("-9223372036854775808.0")))
    #expect(try ItemID("a") == ItemID(RawJSON("\"\\u0061\"")))
    #expect(ItemID("1") != ItemID(1))
    #expect(ItemID("x").raw.string == "x")
    #expect(ItemID(trusting: Array("\"x\"".utf8)[...]) == ItemID("x"))
  }

}
