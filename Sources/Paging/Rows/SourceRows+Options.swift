extension SourceRows {
  /// The settings of a list's rows.
  struct Options {
    /// The order of the rows; empty if the source gives a position for each row.
    var order: [RowOrder]
    /// Whether the source reports changes of its rows.
    var isFollowed = false
    /// Whether a refresh reloads the loaded pages.
    var reloads = false
    /// Whether rows far from the window are evicted.
    var evicts = false

    /// Whether a row keeps its position if a later page contains it again, and removed rows stay out of later pages.
    /// Without reported changes only pages show what the source has, so rows in sight don't move.
    var keepsPlaces: Bool { !isFollowed && !evicts }
  }
}
