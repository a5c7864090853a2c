internal import Paging
internal import ItemList
internal import RPC
internal import WireJSON

/// A page of a file while it grows.
struct PageBuilder {
  private let file: String
  private(set) var bytes: [UInt8] = []
  private(set) var slices: [RawItems.Slice] = []
  private var failures: [LoadFailure] = []
  private var unlistedFailures = 0

  init(of file: String) { self.file = file }

  /// Whether another failure would be listed.
  var listsFailures: Bool { failures.count < Page<RawJSON>.mostFailures }

  /// Adds items that lie one after the other, with whatever is between them.
  mutating func append(_ items: [RawItems.Slice], of window: [UInt8]) {
    guard let start = items.first?.range.lowerBound, let end = items.last?.range.upperBound else { return }
    let distance = UInt32(truncatingIfNeeded: bytes.count - start)
    bytes += window[start..<end]
    if slices.isEmpty { slices.reserveCapacity(items.count) }
    for var item in items {
      item.start &+= distance
      item.idStart &+= distance
      slices.append(item)
    }
  }

  /// Adds items of a file whose window begins at an offset. Those without an id get one: their own offset.
  mutating func append(_ items: [RawItems.Slice], of window: [UInt8], at offset: Int) {
    for item in items {
      if item.idLength > 0 {
        append([item], of: window)
      } else {
        slices.append(bytes.append(item, of: window, id: offset + Int(item.start)))
      }
    }
  }

  /// Counts a record that was left out without being told.
  mutating func countLeftOut() { unlistedFailures += 1 }

  /// Tells of a record that was left out.
  mutating func leaveOut(at location: SourceLocation, _ reason: String, _ consequence: String) {
    guard listsFailures else { return countLeftOut() }
    failures.append(LoadFailure(.badRecord, "\(file):\(location): \(reason); \(consequence)"))
  }

  /// The page, which keeps no more memory than it needs. Its key is how many items stand before the next one.
  func finish(next: Int?, total: Int?) -> Page<RawJSON> {
    var exact = bytes
    if bytes.capacity - bytes.count > bytes.count / 8 {
      exact = []
      exact.reserveCapacity(bytes.count)
      exact += bytes
    }
    var failures = failures
    if unlistedFailures > 0 {
      failures.append(
        LoadFailure(.badRecord, "\(file): \(unlistedFailures) more records were left out before the next item"))
    }
    return Page(
      items: RawItems(bytes: exact, slices: slices), next: next?.json, total: total, failures: failures)
  }
}

extension [UInt8] {
  /// Appends an object that has no member "id", with a number as its first member "id". Returns where the copy lies.
  mutating func append(_ object: RawItems.Slice, of window: [UInt8], id: Int) -> RawItems.Slice {
    let (start, name, digits) = (count, "{\"id\":".utf8, String(id).utf8)
    let rest = window[object.range].dropFirst()
    self += name
    self += digits
    if rest.first(where: { !$0.isWhiteSpace }) != UInt8(ascii: "}") { append(UInt8(ascii: ",")) }
    self += rest
    return RawItems.Slice(
      start: UInt32(start), length: UInt32(count - start), idStart: UInt32(start + name.count),
      idLength: UInt32(digits.count))
  }
}
