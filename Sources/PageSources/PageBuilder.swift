internal import Paging
internal import ItemList
internal import RPC
internal import WireJSON

/// A page of a file to which items are added.
struct PageBuilder {
  private let file: String
  private(set) var bytes: [UInt8] = []
  private(set) var slices: [RawItems.Slice] = []
  private var failures: [LoadFailure] = []
  private var unlistedFailures = 0

  init(of file: String) { self.file = file }

  /// Whether another failure would be listed.
  var listsFailures: Bool { failures.count < Page<RawJSON>.mostFailures }

  /// Adds consecutive items, with the bytes between them.
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

  /// Adds items of a window that begins at an offset in the file. Items without an id receive their own offset as their
  /// id.
  mutating func append(_ items: [RawItems.Slice], of window: [UInt8], at offset: Int) {
    for item in items {
      if item.idLength > 0 {
        append([item], of: window)
      } else {
        slices.append(bytes.append(item, of: window, id: offset + Int(item.start)))
      }
    }
  }

  /// Counts a record that was left out and isn't listed as a failure.
  mutating func countLeftOut() { unlistedFailures += 1 }

  /// Lists a record that was left out as a failure.
  mutating func leaveOut(at location: SourceLocation, _ reason: String, _ consequence: String) {
    guard listsFailures else { return countLeftOut() }
    failures.append(LoadFailure(.badRecord, "\(file):\(location): \(reason); \(consequence)"))
  }

  /// Returns the page, without unused memory. `next` is the key of the next page: the number of items before it.
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
  /// Appends an object that has no field "id", and adds a number as its first field "id". Returns the location of the
  /// copy.
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
