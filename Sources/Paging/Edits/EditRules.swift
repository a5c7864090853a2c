internal import WireJSON

/// How an app's own list makes its edits.
struct EditRules {
  /// Where it inserts items that no place is given for.
  var end = ListEnd.start
  /// What happens to an item if the source refuses it.
  var onFailure = OnFailedInsertion.remove
  /// For how long a change of one item can be undone; nil if it can't.
  var changeUndo: Milliseconds?
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
