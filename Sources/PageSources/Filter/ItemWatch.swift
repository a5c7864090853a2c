internal import Flow
internal import Paging
internal import WireJSON

/// A list that watches the items which match its criteria.
final class ItemWatch {
  /// The criteria of the list.
  let test: ItemTest
  /// Receives the changes.
  let observer: Observer<SourceChanges<RawJSON>>

  init(_ test: ItemTest, _ observer: Observer<SourceChanges<RawJSON>>) { (self.test, self.observer) = (test, observer) }
}
