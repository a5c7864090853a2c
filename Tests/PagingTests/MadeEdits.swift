import Paging

extension PagedEdits {
  /// Receives the answer that the source made an edit, and has the item as it was sent.
  mutating func receiveMade(_ number: Int) {
    // Only a result that can't be used throws.
    try? receive(EditResult(), of: number)
  }
}
