#if canImport(Observation)
  import Foundation
  import Nagare
  import Observation
  import Synchronization
  import Testing

  @testable import NagareClient

  /// Views as observable objects, with a fake server.
  @MainActor
  @Suite struct ObservedViewTests {
    struct Row: Codable, Identifiable, Equatable { let id: String }

    struct Input: Ports {
      let write = Port<String>("text")
      let refresh = Trigger()
    }
    /// The outputs have the names that the server opens a view with.
    struct Output {
      let items: Driver<Items<Row>>
      let loading: Driver<String>
      let error: Driver<String?>
    }

    /// Counts the changes of the values that it reads, and lets a test wait for them.
    private final class Observer {
      private let (changes, changed) = AsyncStream.makeStream(of: Void.self)
      let count = Counter()

      final class Counter: Sendable {
        let value = Atomic(0)
      }

      /// Reads a value, and counts its next change.
      @MainActor func read<Value>(_ value: () -> Value) -> Value {
        withObservationTracking(value) { [changed, count] in
          count.value.add(1, ordering: .relaxed)
          changed.yield()
        }
      }

      func next() async throws { try await bounded { [changes] in for await _ in changes { return } } }

      var total: Int { count.value.load(ordering: .relaxed) }
    }

    /// Blocks the main actor until the view has received an update.
    private func block(
      _ view: RemoteView<Input, Output>,
      until condition: @escaping @Sendable (RemoteView<Input, Output>) throws -> Bool
    ) -> Bool {
      let received = DispatchSemaphore(value: 0)
      Task.detached {
        try await view.until(condition)
        received.signal()
      }
      return received.wait(timeout: .now() + .seconds(30)) == .success
    }

    private func open(
      items: String = "[]"
    ) async throws -> (Fake, Session, ObservedView<Input, Output>) {
      let (fake, session) = try await Fake.serve()
      let view = try await fake.open(session, items: items).as(RemoteView<Input, Output>.self)
      try fake.tell("loading", #""value":"no""#)
      try await fake.settle(session)
      return (fake, session, ObservedView(view))
    }

    @Test func `the change of an output that was read is reported`() async throws {
      let (fake, _, observed) = try await open()
      let observer = Observer()
      #expect(observer.read { observed.loading } == "no")
      try fake.tell("loading", #""value":"yes""#)
      try await observer.next()
      #expect(observed.loading == "yes")
    }

    @Test func `the change of another output is not reported`() async throws {
      let (fake, session, observed) = try await open()
      let (loading, error) = (Observer(), Observer())
      _ = loading.read { observed.loading }
      _ = error.read { observed.error }
      try fake.tell("loading", #""value":"yes""#)
      try await fake.settle(session)
      try fake.tell("error", #""value":"offline""#)
      try await error.next()
      #expect(observed.error == "offline")
      #expect(loading.total == 1 && error.total == 1)
    }

    @Test func `items are reported as rows`() async throws {
      let (fake, _, observed) = try await open(items: #"[{"id":"a"}]"#)
      let observer = Observer()
      #expect(observer.read { observed.items.map(\.id) } == ["a"])
      try fake.tell(
        "items",
        #""base":0,"revision":1,"count":2,"splices":[{"start":1,"deleteCount":0,"items":[{"id":"b"}]}]"#)
      try await observer.next()
      #expect(observed.items.map(\.id) == ["a", "b"])
    }

    @Test func `a value stays the same until its change is reported`() async throws {
      let (fake, session, observed) = try await open()
      _ = observed.loading
      let observer = Observer()
      try fake.tell("loading", #""value":"yes""#)
      // The main actor is blocked in the meantime, so no report can reach it.
      #expect(block(observed.view) { try $0.loading == "yes" })
      #expect(observer.read { observed.loading } == "no")
      try await fake.settle(session)
      try await observer.next()
      #expect(observed.loading == "yes")
    }

    @Test func `a value of another type is nil, with a reason`() async throws {
      let (fake, _, observed) = try await open()
      let observer = Observer()
      _ = observer.read { observed.loading }
      #expect(observed.mismatch == nil)
      try fake.tell("loading", #""value":7"#)
      try await observer.next()
      #expect(observed.loading == nil)
      #expect(observed.mismatch?.description.hasPrefix(#""loading" of "rows" is no String"#) == true)
    }

    @Test func `the end of a view is reported, and its values stay`() async throws {
      let (fake, _, observed) = try await open()
      let observer = Observer()
      #expect(observer.read { observed.isClosed } == false)
      try fake.tell("closed", #""value":{}"#)
      try await observer.next()
      #expect(observed.isClosed && observed.loading == "no")
    }

    @Test func `an input is a method`() async throws {
      let (fake, _, observed) = try await open()
      observed.refresh.send()
      _ = try await fake.next("refresh")
    }

    @Test func `a bound value is shown at once, and replaced by the server's value`() async throws {
      let (fake, _, observed) = try await open()
      let (bound, observer) = (observed.bound(\.loading, to: \.write, default: ""), Observer())
      #expect(observer.read { bound.value } == "no")
      bound.value = "maybe "
      #expect(observer.total == 1 && bound.value == "maybe " && observed.loading == "no")
      let asked = try await fake.next("write")
      #expect(asked["params"]?.text == #"{"text":"maybe ","view":"v"}"#)
      try fake.tell("loading", #""value":"maybe""#)
      try fake.answer(try await fake.next("ping"))
      let answered = Observer()
      while answered.read({ bound.value }) != "maybe" { try await answered.next() }
    }

    @Test func `a bound value that the server refuses is replaced by the output`() async throws {
      let (fake, _, observed) = try await open()
      let bound = observed.bound(\.loading, to: \.write, default: "")
      bound.value = "never"
      _ = try await fake.next("write")
      try fake.answer(try await fake.next("ping"))
      let observer = Observer()
      while observer.read({ bound.value }) != "no" { try await observer.next() }
    }

    @Test func `an answer to an older value does not replace a newer one`() async throws {
      let (fake, _, observed) = try await open()
      let (bound, observer) = (observed.bound(\.loading, to: \.write, default: ""), Observer())
      bound.value = "a"
      _ = try await fake.next("write")
      let first = try await fake.next("ping")
      bound.value = "ab"
      #expect(try await fake.next("write")["params"]?["text"]?.string == "ab")
      try fake.tell("loading", #""value":"a""#)
      try fake.answer(first)
      while observer.read({ observed.loading }) != "a" { try await observer.next() }
      #expect(bound.value == "ab")
      try fake.tell("loading", #""value":"ab""#)
      try fake.answer(try await fake.next("ping"))
      let newer = Observer()
      while newer.read({ observed.loading }) != "ab" { try await newer.next() }
      #expect(bound.value == "ab")
    }

    @Test func `releasing an observed view stops its listening`() async throws {
      let (fake, session, observed) = try await open()
      let view = observed.view
      weak var gone: ObservedView<Input, Output>?
      do {
        let other = ObservedView(view)
        _ = other.loading
        gone = other
      }
      #expect(gone == nil)
      try fake.tell("loading", #""value":"yes""#)
      try await fake.settle(session)
      #expect(try view.loading == "yes")
    }

    @Test func `an observed view can be released while the server has not answered`() async throws {
      let (fake, _, observed) = try await open()
      weak var gone: ObservedView<Input, Output>?
      do {
        let other = ObservedView(observed.view)
        other.bound(\.loading, to: \.write, default: "").value = "yes"
        gone = other
      }
      _ = try await fake.next("write")
      let unanswered = try await fake.next("ping")
      #expect(gone == nil)
      try fake.answer(unanswered)
    }
  }
#endif
