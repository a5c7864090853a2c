internal import Flow
internal import Paging
internal import WireJSON

/// Work on a file that may take several turns and results in a page.
protocol FileWork: AnyObject {
  /// How far the work has come in its file.
  var progress: LoadProgress { get }

  /// Continues until the page is complete or the work of this turn is used up. Subtracts the work that was done.
  /// Returns nil if the work isn't finished.
  func advance(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>?
}
