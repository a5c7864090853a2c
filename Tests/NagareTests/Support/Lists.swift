import ItemList
import WireJSON

/// A page of items with one value. The ids are numbers, written as strings.
func page(_ ids: some Sequence<Int>, value: Int = 0) -> RawItems {
  let items = ids.map { #"{"id":"\#($0)","value":\#(value)}"# }
  let array = try? RawJSON("[\(items.joined(separator: ","))]")
  return array.flatMap { RawItems(arrayOf: $0, id: "id") } ?? RawItems(bytes: [], slices: [])
}

func item(_ id: Int, _ value: Int = 0) -> ItemList.Item { ItemList.Item(page([id], value: value), at: 0) }

extension ItemList {
  /// A list of one page.
  init(_ ids: some Sequence<Int>) {
    self.init()
    append(page(ids))
  }

  var texts: [String] { map { String(decoding: $0.bytes, as: UTF8.self) } }

  mutating func remove(_ id: Int) -> Int? { remove(ItemID("\(id)")) }
}
