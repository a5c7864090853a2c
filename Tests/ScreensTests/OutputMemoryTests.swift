import Flow
import LetterPages
import Paging
import Testing
import WireJSON

@testable import Nagare
@testable import Screens

/// Outputs keep the received bytes of their values, and no copies as text.
@Suite struct OutputMemoryTests {
  private let clock = VirtualScheduler()
  private let size = 100_000

  /// A page with one large item.
  private var large: Page<RawJSON> {
    let text = Array(#"{"id":"a","as":"\#(String(repeating: "x", count: size))"}"#.utf8)
    let slice = RawItems.Slice(start: 0, length: UInt32(text.count), idStart: 6, idLength: 3)
    return Page(items: RawItems(bytes: text, slices: [slice]))
  }

  /// Opens a view as the service does, and sends all its values.
  private func open<Model: ViewModel>(_ model: Model, after act: (Model.Input) throws -> Void = { _ in }) throws
    -> (output: Model.Output, slots: [OutputSlot])
  {
    let (binding, input, output) = try ViewModelBinding.checking(model, on: clock)
    for slot in binding.outputs { slot.connect() }
    try act(input)
    var writer = JSONWriter()
    for slot in binding.outputs where slot.hasCurrentValue {
      slot.markSent()
      slot.writeCurrentMembers(to: &writer)
    }
    return (output, binding.outputs)
  }

  /// The number of JSON bytes in outputs and their origins. Each shared text is counted once.
  private func bytes(in things: [Any]) -> Int {
    var found: [UInt: Int] = [:]
    func look(in mirror: Mirror) {
      if let parent = mirror.superclassMirror { look(in: parent) }
      for (_, child) in mirror.children {
        if let text = child as? [UInt8] {
          let place = unsafe text.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
          found[place] = text.count
        } else if Mirror(reflecting: child).displayStyle != .class {
          look(in: Mirror(reflecting: child))
        }
      }
    }
    for thing in things { look(in: Mirror(reflecting: thing)) }
    return found.values.reduce(0, +)
  }

  @Test func `pagers on one item share its bytes`() throws {
    let input = List.Input()
    let list = List(ListSettings()) { [large] _ in .just(large) }.feedback(input, on: clock)
    let listening = list.list.items.subscribe { _ in }
    defer { listening.dispose() }
    try input.viewWillAppear.send()
    let slots = try (0..<10).flatMap { _ in
      try open(Pager(list.list, failure: list.failure, from: id("a"), loadMore: Trigger())).slots
    }
    #expect((size..<2 * size).contains(bytes(in: slots)))
  }

  @Test func `a feed and its page share bytes`() throws {
    let feed = try open(Feed { [large] _ in .just(large) }) { try $0.refresh.send() }
    #expect((size..<2 * size).contains(bytes(in: [feed.output.offers.value] + feed.slots)))
  }

  @Test func `screens with the same choices share bytes`() throws {
    let choices = [ChoiceItem(String(repeating: "x", count: size))]
    let dispatcher = Dispatcher()
    let slots = try (0..<10).flatMap { _ in
      try open(Choice(choices, select: Action("select"), on: dispatcher)).slots
    }
    // The text is stored twice: as the choice, and as its id.
    #expect((2 * size..<3 * size).contains(bytes(in: slots)))
  }

  @Test func `a task's output and its value share bytes`() throws {
    let value = String(repeating: "x", count: size).json
    let definition = TaskDefinition("look", to: "seen", initially: value) { _ in UserTask.prompt("Name").map(\.json) }
    let slots = try (0..<10).flatMap { _ in try open(Tasks([definition])).slots }
    #expect((size..<2 * size).contains(bytes(in: slots)))
  }
}
