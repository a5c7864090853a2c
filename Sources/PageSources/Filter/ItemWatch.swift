internal import Flow
internal import Paging
internal import WireJSON

/// A list that hears what becomes of the items that it asked for.
final class ItemWatch {
  /// What it has asked for.
  let test: ItemTest
  /// Who is told.
  let observer: Observer<SourceChanges<RawJSON>>

  init(_ test: ItemTest, _ observer: Observer<SourceChanges<RawJSON>>) { (self.test, self.observer) = (test, observer) }
}
