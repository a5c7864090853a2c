internal import WireJSON

/// Unfinished requests of the other side, and how to cancel each of them.
///
/// Each has its own number, because ids may be null or, against the rules, occur twice. Every request gets a response
/// nevertheless.
struct OpenRequests {
  struct Request {
    let reply: Reply
    let cancel: () -> Void
    /// The canonical spelling of the id; nil for null.
    fileprivate let id: [UInt8]?
  }

  private var lastNumber = 0
  private var requests: [Int: Request] = [:]
  private var numbersByID: [[UInt8]: Int] = [:]

  /// The number for the next request.
  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func add(_ number: Int, id: RawJSON, _ reply: Reply, cancel: @escaping () -> Void) {
    let id = CanonicalScalar.spelling(of: id.bytes)
    requests[number] = Request(reply: reply, cancel: cancel, id: id)
    if let id { numbersByID[id] = number }
  }

  @discardableResult
  mutating func remove(_ number: Int) -> Request? {
    guard let request = requests.removeValue(forKey: number) else { return nil }
    if let id = request.id, numbersByID[id] == number { numbersByID[id] = nil }
    return request
  }

  /// Removes and returns the newest request with an id.
  mutating func remove(id: RawJSON) -> Request? {
    guard let id = CanonicalScalar.spelling(of: id.bytes), let number = numbersByID[id] else { return nil }
    return remove(number)
  }

  /// The numbers of all requests, oldest first.
  var numbers: [Int] { requests.keys.sorted() }
}
