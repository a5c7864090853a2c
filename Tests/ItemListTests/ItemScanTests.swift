import ItemList
import Testing
import WireJSON

struct ItemScanTests {
  @Test func `an array's items and their ids are found`() throws {
    let json = try RawJSON(#"[ {"id":1,"a":{"id":2}}, {"x":[],"id":"é"} ,{"id":3,"\u0069d":4}]"#)
    let items = try #require(RawItems(arrayOf: json, id: "id"))
    #expect(items.count == 3)
    #expect(
      (0..<3).map { items[$0].text } == [#"{"id":1,"a":{"id":2}}"#, #"{"x":[],"id":"é"}"#, #"{"id":3,"\u0069d":4}"#])
    #expect((0..<3).map { items.id(at: $0) } == [ItemID(1), ItemID("é"), ItemID(4)])
    #expect(items.rejected.isEmpty)
  }

  @Test func `items without a usable id are rejected`() throws {
    let text = #"[{"id":1},{},{"id":null},{"id":true},{"id":[]},{"id":{}},7,"x",{"id":"2"}]"#
    let items = try #require(RawItems(arrayOf: RawJSON(text), id: "id"))
    #expect(items.slices.indices.map { items.id(at: $0) } == [ItemID(1), ItemID("2")])
    #expect(
      items.rejected == [
        RejectedItem(index: 1, offset: 10, reason: .noID),
        RejectedItem(index: 2, offset: 19, reason: .unusableID(.null)),
        RejectedItem(index: 3, offset: 31, reason: .unusableID(.bool)),
        RejectedItem(index: 4, offset: 43, reason: .unusableID(.array)),
        RejectedItem(index: 5, offset: 53, reason: .unusableID(.object)),
        RejectedItem(index: 6, offset: 57, reason: .notAnObject),
        RejectedItem(index: 7, offset: 59, reason: .notAnObject),
      ])
    #expect(items.rejected[1].message == "an item's id must be a string or a number, not null")
  }

  @Test func `only arrays are read as pages, and an empty array has no items`() throws {
    #expect(try RawItems(arrayOf: RawJSON("{}"), id: "id") == nil)
    #expect(try RawItems(arrayOf: RawJSON(" [ ] "), id: "id")?.isEmpty == true)
  }

  @Test func `offsets count from the start of the text around an array`() throws {
    let json = try RawJSON(#"{"items":[{"key":"a"}],"next":[2]}"#)
    let array = try #require(json.member("items"))
    let items = try #require(RawItems(arrayOf: array, id: "key"))
    #expect(items[0].range == 10..<21)
    #expect(items.slices[0].idRange == 17..<20)
  }

  @Test func `a broken line doesn't affect other lines`() {
    let text = """
      {"id":1}
      {"id":2
      {"id":}

        {"id":3}  \r
      {"id":4} {"id":5}
      7
      {"id":"\u{1}"}
      {"id":6,
      "a":1}
      {"id":7}
      """
    let bytes = Array(text.utf8)
    var scan = ItemScan()
    scan.continueLines(bytes.span, id: "id")
    #expect(ids(scan, bytes) == ["1", "3", "7"])
    #expect(scan.stop == .end)
    #expect(scan.next == bytes.count)
    #expect(scan.scanned == 10)
    let found = scan.rejected.map { "\($0.index) \(SourceLocation(of: $0.offset, in: bytes)) \($0.message)" }
    #expect(
      found == [
        "1 2:8 unexpected end of text",
        "2 3:7 expected a value: an object, an array, a string, a number, true, false or null",
        "4 6:10 expected nothing after the value", "5 7:1 an item must be an object",
        "6 8:8 a control character must be escaped in a string", "7 9:9 unexpected end of text",
        "8 10:4 expected nothing after the value",
      ])
  }

  @Test func `a scan stops at a limit and continues from there`() throws {
    let lines = Array("{\"id\":1}\nx\n{\"id\":2}\n{\"id\":3}\n".utf8)
    var scan = ItemScan()
    scan.continueLines(lines.span, id: "id", limit: 2)
    #expect((scan.stop, scan.next, scan.scanned) == (.limit, 11, 2))
    scan.continueLines(lines.span, id: "id", limit: 2)
    #expect((scan.stop, scan.next, scan.scanned) == (.limit, 29, 4))
    scan.continueLines(lines.span, id: "id", limit: 2)
    #expect((scan.stop, scan.next, scan.scanned) == (.end, 29, 4))
    #expect(ids(scan, lines) == ["1", "2", "3"])

    let array = Array("[{\"id\":1},x".utf8) + Array("{\"id\":2}]".utf8)
    var broken = ItemScan()
    #expect(throws: JSONError(.expectedValue, at: 10)) { try broken.continueArray(array.span, id: "id") }
    #expect(ids(broken, array) == ["1"])
    let whole = Array("[{\"id\":1},{\"id\":2}]".utf8)
    var paged = ItemScan()
    try paged.continueArray(whole.span, id: "id", limit: 1)
    #expect((paged.stop, paged.slices.count) == (.limit, 1))
    try paged.continueArray(whole.span, id: "id", limit: 1)
    #expect((paged.stop, paged.slices.count) == (.end, 2))
  }

  @Test func `text after the array is an error`() {
    var scan = ItemScan()
    #expect(throws: JSONError(.trailingText, at: 3)) { try scan.continueArray(Array("[] x".utf8).span, id: "id") }
    var cut = ItemScan()
    #expect(throws: JSONError(.unexpectedEnd, at: 9)) {
      try cut.continueArray(Array("[{\"id\":1}".utf8).span, id: "id")
    }
    var none = ItemScan()
    #expect(throws: JSONError(.expectedValue, at: 0)) { try none.continueArray(Array("{}".utf8).span, id: "id") }
  }

  private func ids(_ scan: ItemScan, _ bytes: [UInt8]) -> [String] {
    scan.slices.map { String(decoding: bytes[$0.idRange], as: UTF8.self) }
  }
}
