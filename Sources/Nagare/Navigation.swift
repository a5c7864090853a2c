/// A value of an output that opens another view. The service opens the view as a child of the view with the output, and
/// sends its name and screen to the client.
///
/// ```swift
/// navigate: input.select.signal.map { id in Navigation(to: "message", Message(id)) }
/// ```
public struct Navigation {
  /// The name of the new view's screen.
  public let screen: String
  /// The view model of the new view. It can share state with the view model that opens it.
  public let viewModel: any ViewModel

  /// Creates a request to open a view of the named screen. The view model can share state with the one that opens it.
  public init(to screen: String, _ viewModel: any ViewModel) {
    self.screen = screen
    self.viewModel = viewModel
  }
}
