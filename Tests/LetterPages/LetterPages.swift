public import Nagare
public import Paging
public import WireJSON

/// A page whose items have a letter each for their id: of `"abC"` they are `a`, `b`, and `c` with other contents.
public func page(
  _ letters: String, next: String? = nil, previous: String? = nil, failures: [LoadFailure] = []
) -> Page<RawJSON> {
  var bytes: [UInt8] = []
  var slices: [RawItems.Slice] = []
  for letter in letters {
    let (start, text) = (UInt32(bytes.count), itemText(letter))
    bytes += Array(text.utf8)
    slices.append(RawItems.Slice(start: start, length: UInt32(text.utf8.count), idStart: start + 6, idLength: 3))
  }
  return Page(
    items: RawItems(bytes: bytes, slices: slices), next: next?.json, previous: previous?.json, failures: failures)
}

private func itemText(_ letter: Character) -> String { #"{"id":"\#(letter.lowercased())","as":"\#(letter)"}"# }

/// The id of a letter's item.
public func id(_ letter: Character) -> ItemID { ItemID(String(letter)) }

/// A letter's item.
public func item(_ letter: Character) -> RawJSON {
  let text = Array(itemText(letter).utf8)
  return RawJSON(trusting: text, 0..<text.count)
}

extension ItemList {
  /// The letters from which ``page(_:next:previous:failures:)`` made the items.
  public var letters: String { map { $0.json.member("as")?.string ?? "?" }.joined() }
}

/// A failure.
public let broken = LoadFailure(code: 7, message: "broken", isRetryable: true)
