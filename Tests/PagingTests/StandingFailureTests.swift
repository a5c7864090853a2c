import LetterPages
import Nagare
import Paging
import Testing

/// The failure that a list shows, of loads and edits. Each order of a few events is compared with a very simple model.
@Suite struct StandingFailureTests {
  enum Event: CaseIterable {
    /// An edit that is sent to the source, and an edit that the list makes alone.
    case edit, editOfItsOwn
    /// The answer to the oldest edit.
    case take, refuse, giveUpEdit
    case load
    /// The result of the load. In part: some records of the page can't be listed.
    case come, comeInPart, fail, giveUpLoad
  }

  @Test func `the list shows the model's failure in every order of five events`() throws {
    var checked = 0
    func extend(_ world: World, _ events: [Event], _ more: Int) throws {
      checked += 1
      guard world.isAsInTheModel else {
        Issue.record("\(events): \(world.standing ?? "none"), where the model has \(world.model.standing ?? "none")")
        return
      }
      guard more > 0 else { return }
      for event in Event.allCases {
        var next = world
        try next.perform(event, named: "event \(events.count)")
        try extend(next, events + [event], more - 1)
      }
    }
    try extend(World(), [], 5)
    #expect(checked == 1 + 10 + 100 + 1000 + 10000 + 100_000)
  }
}

extension StandingFailureTests {
  /// The newest failure stands until a load begins. An edit's failure also ends when another edit is sent.
  struct Model {
    private(set) var standing: String?
    private(set) var isLoading = false
    private var isRefusal = false
    private var unanswered = 0

    mutating func perform(_ event: Event, named name: String) {
      switch event {
      case .edit:
        unanswered += 1
        if isRefusal { standing = nil }
      case .editOfItsOwn: break
      case .take, .giveUpEdit: unanswered = max(0, unanswered - 1)
      case .refuse where unanswered > 0:
        unanswered -= 1
        (standing, isRefusal) = (name, true)
      case .refuse: break
      case .load: (standing, isLoading) = (nil, true)
      case .comeInPart where isLoading, .fail where isLoading:
        (standing, isRefusal, isLoading) = (name, false, false)
      case .come, .comeInPart, .fail, .giveUpLoad: isLoading = false
      }
    }
  }

  /// A list, and a model of its failure.
  struct World {
    private(set) var model = Model()
    private var list = Paged<RawJSON>(writes: [.insert])
    private var unanswered: [Int] = []

    init() throws {
      list.load(.appear)
      try list.come(page("abc"))
    }

    var standing: String? { list.failure?.trigger }
    var isAsInTheModel: Bool { standing == model.standing && list.isLoading == model.isLoading }

    mutating func perform(_ event: Event, named name: String) throws {
      model.perform(event, named: name)
      let failure = Failure(broken, trigger: name)
      switch event {
      case .edit:
        list.insert(ItemList.Item(page("x").items, at: 0))
        unanswered.append(list.newestEdit)
      case .editOfItsOwn: if let first = list.items.first { list.remove(first.itemID) }
      case .take: if let edit = oldest() { list.edits.receiveMade(edit) }
      case .refuse: if let edit = oldest() { list.edits.end(edit, failure: failure) }
      case .giveUpEdit: if let edit = oldest() { list.edits.end(edit, failure: nil) }
      case .load: list.first()
      case .come: try list.come(page("abc"))
      case .comeInPart: try comeInPart(failure)
      case .fail: end(failure)
      case .giveUpLoad: end(nil)
      }
    }

    private mutating func oldest() -> Int? { unanswered.isEmpty ? nil : unanswered.removeFirst() }

    private mutating func comeInPart(_ failure: Failure) throws {
      guard let number = list.running else { return }
      #expect(throws: broken) { try list.receive(page("abc", failures: [broken]), of: number) }
      list.end(number, failure: failure)
    }

    private mutating func end(_ failure: Failure?) {
      if let number = list.running { list.end(number, failure: failure) }
    }
  }
}
