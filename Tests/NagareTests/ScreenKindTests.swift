import Foundation
import Testing
import WireJSON

@testable import Nagare

/// The kinds of screens, by the examples that the frontends' tests also use.
@Suite struct ScreenKindTests {
  private func schema(_ json: RawJSON) -> JSONSchema {
    let type = json.member("type") ?? .null
    let types = type.kind == .array ? type.elements.compactMap(\.string) : [type.string ?? ""]
    let required = json.member("required")?.elements.compactMap(\.string) ?? []
    var schema = JSONSchema()
    schema.types = types.compactMap(JSONSchema.ValueType.init(rawValue:))
    schema.items = json.member("items").map { self.schema($0) }
    schema.properties =
      json.member("properties")?.members.map { name, value in
        JSONSchema.Property(name.string, self.schema(value), isRequired: required.contains(name.string))
      } ?? []
    return schema
  }

  private func ports(_ example: RawJSON) -> ScreenKind.Ports {
    func members(_ name: String) -> [(name: String, value: JSONSchema)] {
      example.member(name)?.members.map { ($0.key.string, schema($0.value)) } ?? []
    }
    let events = example.member("events")?.elements.compactMap(\.string) ?? []
    return ScreenKind.Ports(
      inputs: members("inputs").map { ($0.name, $0.value) },
      outputs: members("lists").map { ($0.name, .list, $0.value) }
        + members("states").map { ($0.name, .state, $0.value) } + events.map { ($0, .event, JSONSchema()) },
      isConfigured: example.member("configured")?.bool == true)
  }

  @Test func `each example has its kind`() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../clients/behaviour/screen_kinds.json")
    let examples = try RawJSON(validating: Array(try Data(contentsOf: file)))
    var count = 0
    for example in examples.elements {
      let kind = ScreenKind(of: ports(example)).rawValue
      #expect(kind == example.member("kind")?.string, "\(example.member("about")?.string ?? "")")
      count += 1
    }
    #expect(count > 20)
  }

  @Test func `a screen that is almost a list is reported when it is added`() {
    struct Shelf: ViewModel {
      struct Input: Ports { let select = Port<Int>("number") }
      struct Output: Outputs { let items: Driver<[String]>; let owner: Driver<String> }
      func transform(_ input: Input, on clock: any Scheduler) -> Output {
        Output(items: .just([]), owner: .just("Aoi"))
      }
    }
    let service = Service(clock: VirtualScheduler())
    var messages: [String] = []
    service.onModelError = { messages.append($0) }
    service.add(Screen { Shelf() })
    #expect(
      messages == [
        "frontends don't show the screen \"shelf\" as a list, because its input \"select\" has no parameter \"id\"; section 3 of "
          + "the specification lists what makes each kind of screen"
      ])
  }

  @Test func `a screen with a viewport whose rows have another name is reported`() {
    struct Chat: ViewModel {
      struct Input: Ports { let viewport = Port<Viewport>() }
      struct Output: Outputs { let messages: Driver<[String]> }
      func transform(_ input: Input, on clock: any Scheduler) -> Output { Output(messages: .just([])) }
    }
    let service = Service(clock: VirtualScheduler())
    var messages: [String] = []
    service.onModelError = { messages.append($0) }
    service.add(Screen { Chat() })
    #expect(messages.count == 1)
    #expect(messages.first?.contains("\"chat\" as a list, because its array isn't named \"items\"") == true)
  }
}
