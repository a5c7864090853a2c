/// A new view that a view model asks for, as the value of an output: the service opens it, as a child of the view that
/// asked, and says where it is.
///
/// ```swift
/// navigate: input.select.signal.map { id in Navigation(to: "message", Message(id)) }
/// ```
public struct Navigation {
  /// The screen that the new view is of.
  public let screen: String
  /// What it shows, with all that it shares.
  public let viewModel: any ViewModel

  /// Asks for a view of a screen, by its name, that shows a view model with all that it shares.
  public init(to screen: String, _ viewModel: any ViewModel) {
    self.screen = screen
    self.viewModel = viewModel
  }
}
