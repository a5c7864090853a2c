import Foundation
import Testing

@testable import NagareClient

/// The scenarios that all client libraries share: normally, on a slow pipe, and with the server killed at each message.
@Suite struct BehaviourTests {
  struct Scenario: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let json: RawJSON

    static let all: [Scenario] = {
      let folder = "\(Place.behaviour)/scenarios"
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().compactMap { name in
        let text = (try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))) ?? Data()
        return (try? RawJSON(validating: Array(text))).map { Scenario(testDescription: name, json: $0) }
      }
    }()
  }

  /// Limits the number of servers that run at the same time.
  private static let places = Places(6)

  @Test func `every scenario is played`() { #expect(Scenario.all.count >= 59) }

  @Test(arguments: Scenario.all) func `every shared scenario passes`(_ scenario: Scenario) async throws {
    #expect(try await play(scenario, Place.server) == .exit(status: 0))
  }

  @Test(arguments: Scenario.all) func `every shared scenario passes on a slow pipe`(_ scenario: Scenario) async throws {
    #expect(try await play(scenario, Place.slowServer) == .exit(status: 0))
  }

  @Test(arguments: Scenario.all)
  func `every call ends if the server is killed at any message`(_ scenario: Scenario) async throws {
    let messages = Messages()
    #expect(try await play(scenario, Place.server, messages) == .exit(status: 0))
    await withTaskGroup { group in
      for number in 0..<messages.count { group.addTask { await kill(scenario, after: number) } }
    }
  }

  private func kill(_ scenario: Scenario, after number: Int) async {
    do {
      let messages = Messages(upTo: number)
      let end = try await play(scenario, Place.server, messages)
      // A shorter wait sends fewer pings, so the session may have ended before the server was killed.
      if end != .signal(9) { #expect(messages.count <= number, "the end was in order") }
    } catch let error as ServerDied {
      #expect(error.end == .signal(9), "killed after \(number)")
    } catch {
      Issue.record("killed after \(number): \(error)")
    }
  }

  private func play(
    _ scenario: Scenario, _ command: [String], _ messages: Messages = Messages()
  ) async throws -> ServerEnd? {
    try await BehaviourTests.places.take {
      let folder = try Folder()
      return try await Played.play(scenario.json, in: folder, command, messages)
    }
  }
}
