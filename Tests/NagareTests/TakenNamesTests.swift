import Flow
import Nagare
import Testing

@testable import Nagare

/// An app whose types have the same names as types of the library.
enum App {
  struct Item: Codable, Identifiable, Equatable { let id: String }
  struct Comment: Codable, Equatable { let text: String }
  struct Issue: Codable, Equatable { let comments: [Comment] }
  struct Page: Codable, Equatable { let items: [Item] }
  enum Search: String, Codable, CaseIterable { case open, closed }

  struct Feed: ViewModel {
    struct Input: Ports { let refresh = Trigger() }
    struct Output: Outputs { let pages: Driver<[Page]> }
    struct State { var pages: [Page] = [] }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.refresh) { $0.pages.append(Page(items: [Item(id: "\($0.pages.count)")])) }
      return Output(pages: state.pages)
    }
  }

  struct List: ViewModel {
    struct Input: Ports {
      let search = Port<Search>("search")
      let show = Port<Item.ID>("id")
    }
    struct Output: Outputs {
      let issue: Driver<Issue?>
      let items: Driver<Items<Item>>
      let navigate: Signal<Navigation>
    }
    struct State {
      var issue = Load<Issue>()
      var items = Items<Item>()
    }

    func transform(_ input: Input, on clock: any Scheduler) -> Output {
      let state = Feedback(State(), on: clock)
      state.on(input.search) { state, _ in state.issue.start() }
      state.react(to: \.issue) { _ in .just(Issue(comments: [Comment(text: "a")])) }
      state.on(finished: \.issue) { state, _ in try state.items.append([Item(id: "1")]) }
      return Output(issue: state.issue.value, items: state.items, navigate: input.show.open("feed") { _ in Feed() })
    }
  }
}

@Suite struct TakenNamesTests {
  @Test func `an app's types can have the same names as the library's types`() {
    let client = Client(Screen { App.List() }, Screen { App.Feed() })
    #expect(client.call("open", #"{"screen":"list"}"#)[0].contains(#""viewModel":"list""#))
    #expect(
      client.call("search", #"{"search":"closed"}"#).contains(
        #"{"method":"issue","params":{"view":"v1","value":{"comments":[{"text":"a"}]}}}"#))
    #expect(client.call("show", #"{"id":"1"}"#)[0].contains(#""screen":"feed""#))
    #expect(
      client.call("refresh", #"{"view":"v2"}"#).contains(
        #"{"method":"pages","params":{"view":"v2","value":[{"items":[{"id":"0"}]}]}}"#))
    let document = client.call("rpc.discover")[0]
    for name in ["list", "feed", "search", "show", "pages"] { #expect(document.contains("\"\(name)\"")) }
  }

  @Test func `an enumeration as an input accepts its raw values`() {
    let client = Client(Screen { App.List() })
    client.call("open", #"{"screen":"list"}"#)
    #expect(
      client.call("search", #"{"search":"lost"}"#)[0].contains(#"'search' must be \"open\" or \"closed\""#))
    #expect(
      client.call("rpc.discover")[0].contains(
        #"{"name":"search","required":true,"schema":{"type":"string","enum":["open","closed"]}}"#))
  }
}
