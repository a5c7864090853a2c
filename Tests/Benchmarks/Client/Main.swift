internal import NagareClient

/// Compares the Swift client with a loop over pipes that reads JSON by hand. Prints one number per line, as name, tab
/// and number.
///
/// usage: ClientBenchmark SERVER CONFIGURATION [--window]
///
/// With `--window` it measures the memory of a window instead.
@main enum Main {
  /// The number of measured round trips.
  static let pings = 20_000
  /// The number of measured pages of 1,000 items. As many are listed before the clock starts.
  static let pages = 100

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 || arguments.dropFirst(3) == ["--window"] else {
      print("usage: ClientBenchmark SERVER CONFIGURATION [--window]")
      return
    }
    let command = [arguments[1], "--config", arguments[2]]
    if arguments.count > 3 { return print("swift.window.memory\t\(try await WindowMemory.measure(command))") }
    let raw = try await RawClient(command).measured()
    let client = try await measureClient(command)
    for (name, figures) in [("raw", raw), ("client", client)] {
      print("swift.pings.\(name)\t\(figures.pings)\nswift.items.\(name)\t\(figures.items)")
    }
  }

  private static func measureClient(_ command: [String]) async throws -> Figures {
    let session = try await Session.spawn(command)
    let pings = try await timed(pings) { try await session.ping() }
    let view = try await session.open("items", as: ListView<RawJSON>.self)
    try await view.viewWillAppear()
    _ = try await timed(pages) { try await view.loadMore() }
    let items = try await timed(pages) { try await view.loadMore() }
    guard try view.items.count == 1000 * (1 + 2 * pages) else {
      throw WrongResult(description: "the list isn't what was loaded")
    }
    await session.close()
    return Figures(pings: pings, items: items * 1000)
  }

  /// Returns how many times per second an operation runs.
  static func timed(_ count: Int, _ perform: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let begin = clock.now
    for _ in 0..<count { try await perform() }
    return Double(count) / (clock.now - begin).seconds
  }
}

/// An unexpected result. A missing figure is better than a wrong one.
struct WrongResult: Error, CustomStringConvertible {
  let description: String
}

/// Round trips and items per second.
struct Figures {
  let pings: Double
  let items: Double
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
