import Foundation
import Synchronization
import Testing

@testable import NagareClient

/// Paths of folders, and of the programs that the tests start.
enum Place {
  static let root = String(#filePath.split(separator: "/").dropLast(5).reduce(into: "") { $0 += "/\($1)" })
  static let behaviour = "\(root)/clients/behaviour"
  /// The folder that contains the built tests and libraries.
  static let built: String = {
    let bundle = "/nagarePackageTests.xctest"
    let place = ProcessInfo.processInfo.arguments.first { $0.contains(bundle) }
    return place?.components(separatedBy: bundle).first ?? "\(root)/.build/debug"
  }()
  /// The path of the program `nagare`: the value of the environment variable NAGARE, or the program next to the built
  /// tests.
  static let nagare = ProcessInfo.processInfo.environment["NAGARE"] ?? "\(built)/nagare"

  static let server = [nagare, "--clock", "virtual"]
  static let slowServer = ["python3", "-IS", "\(behaviour)/relay.py", "--"] + server
}

/// A folder that is removed after the test.
final class Folder: Sendable {
  let path = FileManager.default.temporaryDirectory.appending(component: "nagare-\(UUID())").path()

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func write(_ name: String, _ text: String) throws -> String {
    let file = "\(path)/\(name)"
    try Data(text.utf8).write(to: URL(filePath: file))
    return file
  }

  func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
  }
}

/// Thrown if a wait takes too long.
struct TimedOut: Error, CustomStringConvertible {
  let description: String
}

/// Stops waiting after half a minute, because only a test that hangs takes so long.
func bounded<Value: Sendable>(
  _ told: @escaping @Sendable () -> String = { "nothing came" }, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await work() }
    group.addTask {
      try? await Task.sleep(for: .seconds(30))
      return nil
    }
    defer { group.cancelAll() }
    guard let value = try await group.next() ?? nil else { throw TimedOut(description: told()) }
    return value
  }
}

/// Limits how many tasks run at the same time. Further tasks wait.
actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  nonisolated func take<Value: Sendable>(_ work: @Sendable () async throws -> Value) async rethrows -> Value {
    await enter()
    do {
      let value = try await work()
      await leave()
      return value
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}

extension RawJSON {
  /// Parses JSON in a test.
  init(literally text: String) throws { try self.init(text) }

  subscript(member: String) -> RawJSON? { self.member(member) }
}
