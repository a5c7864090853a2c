import Foundation
import Testing

@testable import NagareClient

/// The scenarios that all client libraries share: as they are, on a slow pipe, and with the server killed at every message.
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

  /// Servers run side by side, but not all at once.
  private static let places = Places(6)

  @Test func `all scenarios are played`() { #expect(Scenario.all.count >= 59) }

  @Test(arguments: Scenario.all) func `a scenario`(_ scenario: Scenario) async throws {
    #expect(try await play(scenario, Place.server) == .exit(status: 0))
  }

  @Test(arguments: Scenario.all) func `a scenario on a slow pipe`(_ scenario: Scenario) async throws {
    #expect(try await play(scenario, Place.slowServer) == .exit(status: 0))
  }

  @Test(arguments: Scenario.all)
  func `a scenario with the server killed at every message`(_ scenario: Scenario) async throws {
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
      // One that has waited shorter than the others has asked less often, and ended meanwhile.
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
