import Nagare

@main enum Main {
  static func main() {
    Service.stdio { service, _ in
      let server = MemoryServer(on: service.clock, talking: .seconds(8))
      Chat(server, service.dispatcher).addScreens(to: service)
    }
  }
}
