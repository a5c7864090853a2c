internal import Nagare
internal import RPC
internal import WireJSON

/// Reading and writing of JSON. A repetition is one text.
enum Texts {
  /// The number of bytes in the text that is read.
  private static let readSize = 8 << 20
  private static let page = makePage()

  static var cases: [Case] {
    [
      Case("json.read", .megabytes(bytes: readSize), repetitions: 10, counted: 1, prepare: read),
      Case("json.write", .megabytes(bytes: page.bytes.count), repetitions: 20_000, counted: 1000, prepare: write),
    ]
  }

  /// Reads JSON Lines, with complete checks, to slices with ids, a page of 1,000 at a time.
  private static func read() -> (Int) -> Void {
    var mails = Mails(bodySize: 230)
    let bytes = Array(mails.lines(size: readSize)[..<readSize])
    let total = Total()
    return { repetitions in
      for _ in 0..<repetitions {
        var next = 0
        while next < bytes.count {
          var scan = ItemScan(startingAt: next)
          scan.continueLines(bytes.span, id: "id", limit: 1000)
          total.add(scan.slices.count)
          next = scan.next
        }
      }
    }
  }

  /// Writes a page of 20 items as the value of a notification, in one line.
  private static func write() -> (Int) -> Void {
    var list = ItemList()
    list.append(page)
    let items = list
    let total = Total()
    return { repetitions in
      var line: [UInt8] = []
      var writer = JSONWriter()
      for _ in 0..<repetitions {
        writer.removeAll(keepingCapacity: true)
        writer.beginObject()
        writer.key("method")
        writer.string("items")
        writer.key("items")
        writer.beginArray()
        items.forEachRun(in: 0..<items.count) { writer.raw($0) }
        writer.endArray()
        writer.endObject()
        line.removeAll(keepingCapacity: true)
        Framing.lines.frame(writer.bytes, into: &line)
        total.add(line.count)
      }
    }
  }

  private static func makePage() -> RawItems {
    var mails = Mails(bodySize: 230)
    return mails.pages(1)[0]
  }
}
