import Nagare
import Screens

@main enum Main {
  static func main() {
    Service.stdio { service, _ in
      let chat = Chat(MemoryServer(on: service.clock, talking: .seconds(8)), service.dispatcher)
      service.add(Screen { Channels(chat: chat) })
      service.add(Screen("search") { MessageSearch(chat: chat) })
      service.add(Screen("profile") { ProfileScreen(chat: chat) })
      service.add(Screen("messages", parameter: "channel") { Messages(channel: $0, chat: chat) })
      let image = Display(title: "author", subtitle: "text", image: "image", date: "sent", hidden: ["id", "channel"])
      service.add(Screen("image", openedByOthersLike: Pager.example).displayed(as: image))
      _ = chat.session.state.user.subscribe { if $0 == nil { service.closeViews() } }
    }
  }
}
