import Nagare

@main enum Main {
  static func main() {
    Service.stdio { service, _ in
      Chat(MemoryServer(on: service.clock, talking: .seconds(8)), service.dispatcher).addScreens(to: service)
    }
  }
}
