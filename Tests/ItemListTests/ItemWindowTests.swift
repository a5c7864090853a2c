import ItemList
import Randomness
import Testing
import WireJSON

/// A scan of a text in several windows finds the same as a scan of the whole text, wherever the windows end.
struct ItemWindowTests {
  private struct Found: Equatable {
    var items: [String] = []
    var ids: [String] = []
    var rejected: [RejectedItem] = []
    var error: JSONError?
  }

  private static let makers = [
    #"{"id":1}"#, #"{"id":"x","t":"日本語 \ud83d\ude42 \"q\""}"#, #"{"a":[{"id":1},2.5e3],"id" : 12.0}"#, "{}", "17",
    "-1.5", "true",
    #"{"id":null}"#, #"{"\u0069d":"\u0061"}"#, #""text""#,
  ]

  @Test(arguments: [1, 2, 3] as [UInt64]) func `an array scanned in windows has the same items`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for round in 0..<60 {
      var text = " [" + (0..<6).map { _ in random.pick(Self.makers) }.joined(separator: " ,\n") + "] "
      if round % 5 == 4 { text = text.replacing("2.5e3", with: "2.5e") }
      let bytes = Array(text.utf8)
      let whole = inWindows(bytes, limit: .max, step: bytes.count) { scan, window, limit, isLast throws(JSONError) in
        try scan.continueArray(window.span, id: "id", limit: limit, isLast: isLast)
      }
      for step in [1, 2, 3, 5, 7, 11, 40] {
        let parts = inWindows(bytes, limit: step % 2 == 0 ? 1 : .max, step: step) {
          scan, window, limit, isLast throws(JSONError) in
          try scan.continueArray(window.span, id: "id", limit: limit, isLast: isLast)
        }
        #expect(parts == whole)
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64]) func `lines scanned in windows have the same items`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for round in 0..<60 {
      let lines = (0..<6).map { _ in
        random.pick(Self.makers + ["", "{\"id\":", "x{", "{\"id\":1}}", " \r", "\"\\x", "{\"é"])
      }
      let bytes = Array((lines.joined(separator: "\n") + (round % 2 == 0 ? "\n" : "")).utf8)
      let whole = inWindows(bytes, limit: .max, step: bytes.count) { scan, window, limit, isLast throws(JSONError) in
        scan.continueLines(window.span, id: "id", limit: limit, isLast: isLast)
      }
      for step in [1, 2, 3, 5, 7, 11, 40] {
        let parts = inWindows(bytes, limit: step % 2 == 0 ? 1 : .max, step: step) {
          scan, window, limit, isLast throws(JSONError) in
          scan.continueLines(window.span, id: "id", limit: limit, isLast: isLast)
        }
        #expect(parts == whole)
      }
    }
  }

  /// Reads a text as a file is read. The window grows by a step if it has no complete item. After each scan, the bytes
  /// before `next` are dropped.
  private func inWindows(
    _ bytes: [UInt8], limit: Int, step: Int, _ read: (inout ItemScan, [UInt8], Int, Bool) throws(JSONError) -> Void
  ) -> Found {
    var found = Found()
    var scan = ItemScan()
    var start = 0
    var end = min(step, bytes.count)
    while true {
      let window = Array(bytes[start..<end])
      let (slices, problems) = (scan.slices.count, scan.rejected.count)
      do throws(JSONError) {
        try read(&scan, window, limit, end == bytes.count)
      } catch {
        found.error = JSONError(error.kind, at: start + error.offset)
      }
      for slice in scan.slices[slices...] {
        found.items.append(String(decoding: window[slice.range], as: UTF8.self))
        found.ids.append(String(decoding: window[slice.idRange], as: UTF8.self))
      }
      for item in scan.rejected[problems...] {
        // The offset of a broken line's error is relative to the window too.
        var reason = item.reason
        if case .invalid(let error) = reason { reason = .invalid(JSONError(error.kind, at: start + error.offset)) }
        found.rejected.append(RejectedItem(index: item.index, offset: start + item.offset, reason: reason))
      }
      if found.error != nil || scan.stop == .end { return found }
      start += scan.next
      scan.next = 0
      if scan.stop == .windowEnd { end = min(end + step, bytes.count) }
    }
  }
}

extension SplitMix64 {
  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}
