/// Lets so many through at a time; the others wait in their order.
@MainActor
final class Permits {
  private var free: Int
  private var waiting: ArraySlice<CheckedContinuation<Void, Never>> = []

  init(_ count: Int) { free = count }

  func take() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  func giveBack() {
    if let first = waiting.popFirst() { first.resume() } else { free += 1 }
  }
}
