/// How a list inserts items.
struct InsertionRule {
  /// Where it inserts items that no place is given for.
  var end = ListEnd.start
  /// What happens to an item if the source refuses it.
  var onFailure = OnFailedInsertion.remove
}

/// An end of a list.
public enum ListEnd: Sendable {
  /// Before the first row.
  case start
  /// Behind the last row.
  case end
}

/// What a list does with an inserted item if the source refuses it.
public enum OnFailedInsertion: Sendable {
  /// The item is removed from the list.
  case remove
  /// The item stays. ``Paged/pending`` reports it as failed. ``Paged/retry(_:)`` sends it again, and removing it drops it.
  case keep
}
