import Nagare
import Screens

extension Action<Profile> { static let signIn = Action("signIn") }
extension Action<Void> { static let logOut = Action("logOut") }

/// The parts that all screens share: the server and the signed-in user.
struct Chat {
  let server: any ChatServer
  let dispatcher: Dispatcher
  let user: Store<Profile?>

  init(_ server: any ChatServer, _ dispatcher: Dispatcher) {
    (self.server, self.dispatcher) = (server, dispatcher)
    user = Store(nil, on: dispatcher, resetOn: .logOut).taking(.signIn) { user, profile in user = profile }
  }

  /// Adds the screens, and closes all views when the user logs out.
  func addScreens(to service: Service) {
    service.add(Screen { Channels(chat: self) })
    service.add(Screen("search") { MessageSearch(chat: self) })
    service.add(Screen("profile") { ProfileScreen(chat: self) })
    service.add(Screen("messages", parameter: "channel") { Messages(channel: $0, chat: self) })
    service.add(Screen("image", openedByOthersLike: Pager.example).displayed(as: MessageSearch.display))
    _ = user.state.subscribe { if $0 == nil { service.closeViews() } }
  }
}
