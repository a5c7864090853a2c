internal import WireJSON

/// The settings for the edits of a list whose items have an app's own type.
struct EditRules {
  /// The end of the list at which items without a given position are inserted.
  var end = ListEnd.start
  /// What happens to an inserted item if the source refuses it.
  var onFailure = OnFailedInsertion.remove
  /// For how long a change of one item can be undone; nil or 0 if it can't.
  var changeUndo: Milliseconds?
}

/// An end of a list.
public enum ListEnd: Sendable {
  /// Before the first row.
  case start
  /// After the last row.
  case end
}

/// What happens to an inserted item if the source refuses it.
public enum OnFailedInsertion: Sendable {
  /// The item is removed from the list.
  case remove
  /// The item stays. ``Paged/pending`` reports it as failed. ``Paged/retry(_:)`` sends it again, and removing it drops it.
  case keep
}
