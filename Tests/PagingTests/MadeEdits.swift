import Paging

extension PagedEdits {
  /// Receives the answer that the source made an edit and has the item exactly as it was sent.
  mutating func receiveMade(_ number: Int) {
    // Only a faulty result would throw.
    try? receive(EditResult(), of: number)
  }
}
