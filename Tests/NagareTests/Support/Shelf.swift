import Flow
import Nagare

/// A view model with drivers and signals: books that are loaded, borrowed one at a time, and renamed by asking the
/// user.
struct Shelf: ViewModel {
  struct Input: Ports {
    let list = ListInput()
    let borrow = Port<ItemID>("id")
    let rename = Trigger()
    let open = Port<String>("screen")
    let fail = Trigger()
    let present = Presenter()

    // The session has a method `open`, so this input needs another name.
    enum CodingKeys: String, CodingKey {
      case list, borrow, rename
      case open = "visit"
      case fail, present
    }
  }
  struct ListInput: Ports {
    let refresh = Trigger()
  }
  struct Output: Outputs {
    let list: ListOutput
    let name: Driver<String>
    let borrowed: Signal<ItemID>
    let named: Signal<Void>
    let navigate: Signal<Navigation>
    let error: Driver<Failure?>
  }
  struct ListOutput: Outputs {
    let books: Driver<Items<Book>>
    let newest: Driver<Book?>
    let loading: Driver<Bool>
  }
  struct State {
    var loading = Load<[Book]>()
    var books = Items<Book>()
    var name = "shelf"
    var newName = Load<String>()
    var newest: Book? { books.item(at: books.count - 1) }
  }
  struct Oops: Error {}

  var load: () -> Observable<[Book]> = { .just([Book(id: "a", title: "A")]) }
  var isWanted = false

  func transform(_ input: Input, on clock: any Scheduler) -> Output {
    var first = State()
    if isWanted { first.loading.start() }
    let state = Feedback(first, on: clock)
    state.on(input.list.refresh) { $0.loading.start() }
    state.react(to: \.loading) { _ in load() }
    state.on(finished: \.loading) { state, books in try state.books.append(books) }
    state.on(input.rename) { $0.newName.startIfIdle() }
    state.react(to: \.newName, by: input.present) { .prompt("New name", text: $0.name) }
    state.on(finished: \.newName) { state, name in state.name = name }
    state.on(input.fail) { _ in throw Oops() }
    let borrowed = state.on(input.borrow) { state, id in
      guard state.books.list.contains(id) else { throw Refusal("id", mustBe: "the id of a book", not: id) }
      return id
    }
    return Output(
      list: ListOutput(books: state.books, newest: state.newest, loading: state.isLoading), name: state.name,
      borrowed: borrowed, named: state.finished(\.newName), navigate: input.open.open("counter") { _ in Counter() },
      error: state.failure)
  }
}

struct Book: Codable, Identifiable, Equatable {
  let id: String
  let title: String
}

extension Screen {
  static func shelf(_ shelf: Shelf = Shelf()) -> Screen { Screen("shelf") { shelf } }
}
