extension SourceRows {
  /// What is fixed for all rows of a list.
  struct Options {
    /// By what the rows are in order; empty if the source names a place for each.
    var order: [RowOrder]
    /// Whether the source reports what becomes of its rows.
    var isFollowed = false
    /// Whether a refresh reloads the pages that hold them.
    var reloads = false
    /// Whether rows that are far from a window are evicted.
    var evicts = false

    /// Whether rows stay where they are when a page holds them again, and removed ones stay out of later pages. Nothing but
    /// the pages says what the source has, so what is on the screen isn't moved because of them.
    var keepsPlaces: Bool { !isFollowed && !evicts }
  }
}
