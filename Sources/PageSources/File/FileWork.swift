internal import Flow
internal import Paging
internal import WireJSON

/// Work on a file that is done by turns, until there is a page.
protocol FileWork: AnyObject {
  /// How far it has come in its file.
  var progress: LoadProgress { get }

  /// Goes on until the page is whole, or there was enough work for one turn: what was done is taken off. Nil if others
  /// are to have their turn first.
  func advance(_ work: inout Int) throws(LoadFailure) -> Page<RawJSON>?
}
