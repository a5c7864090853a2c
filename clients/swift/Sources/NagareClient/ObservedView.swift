#if canImport(Observation)
  public import Nagare
  public import Observation
  internal import Synchronization

  /// The current values of a view as an observable object, for a user interface such as SwiftUI's.
  ///
  /// Its properties are the outputs and inputs of the view. A user interface that reads an output is updated when that
  /// output changes, but not when other outputs change:
  ///
  /// ```swift
  /// let inbox = ObservedView(try await session.open("items", as: ListView<Mail>.self))
  /// let count = withObservationTracking {
  ///   inbox.items.count
  /// } onChange: {
  ///   print("the items change")
  /// }
  /// inbox.refresh.send()
  /// ```
  /// - It belongs to the main actor. A change arrives there shortly after the view has received it. A value stays the
  ///   same until its change is reported. If several changes follow one another quickly, only the last may be reported.
  /// - Only states have current values. For events, such as `dismiss`, iterate over `view.values(\.dismiss)`.
  /// - After the end of the view or the session, the last values stay, and ``isClosed`` is true.
  @MainActor
  @dynamicMemberLookup
  public final class ObservedView<Input: Ports, Output>: Observation.Observable {
    /// The name under which ``isClosed`` is observed. No output has this name, so its listener only receives the end.
    private static var closed: String { "" }

    /// The view.
    public nonisolated let view: RemoteView<Input, Output>
    /// The reason why an output that was read has no value here: its value isn't of the type that the view's structure
    /// of outputs declares, for example because the server has another version. Nil if there was no such output.
    /// Changes of this property aren't reported.
    public private(set) var mismatch: OutputMismatch?
    private let registrar = ObservationRegistrar()
    private var listeners: [String: ViewState.Listener] = [:]
    /// The values that were read since their outputs last changed.
    private var values: [String: any Sendable] = [:]
    /// The values that were set and that the server hasn't answered yet.
    private var settings: [String: Setting] = [:]
    private var lastSetting = 0

    private struct Setting {
      let number: Int
      let value: any Sendable
    }

    /// Observes a view.
    ///
    /// - Parameter view: the view. It stays open when this object is released.
    public init(_ view: RemoteView<Input, Output>) { self.view = view }

    deinit {
      for listener in listeners.values { listener.stop() }
    }

    /// Whether the view or the session is closed.
    public var isClosed: Bool {
      observe(Self.closed)
      return view.isClosed
    }

    /// Reads an output, and reports its changes from now on.
    func read<Value: Sendable>(_ name: String, _ current: () throws -> Value) -> Value? {
      observe(name)
      // Checks that there is an entry, because a missing one could also be cast to an optional type.
      if let known = values[name], let value = known as? Value { return value }
      do {
        let value = try current()
        values[name] = value
        return value
      } catch {
        mismatch = error as? OutputMismatch
        return nil
      }
    }

    /// The value that was set last, while the server hasn't answered yet. Otherwise nil.
    func setting<Value>(_ name: String, of type: Value.Type) -> Value? {
      observe(name)
      return settings[name].flatMap { $0.value as? Value }
    }

    /// Shows a value in place of an output's value, until the server has answered everything that was sent to the
    /// output so far.
    ///
    /// - Parameters:
    ///   - value: the value, which has been sent.
    ///   - name: the output's name.
    func set(_ value: some Sendable, _ name: String) {
      lastSetting += 1
      let number = lastSetting
      change(name) { settings[name] = Setting(number: number, value: value) }
      // The reference is weak, because a server that doesn't answer must not keep this object in memory.
      Task { [weak self, handle = view.handle] in
        // The server sends the effects of a message before it answers the next message.
        _ = try? await handle.request("ping")
        guard let self, settings[name]?.number == number else { return }
        change(name) { (settings[name], values[name]) = (nil, nil) }
      }
    }

    /// A placeholder for an output, in the key paths by which reads and changes are reported.
    private nonisolated subscript(output name: String) -> String { name }

    private func change(_ name: String, _ body: () -> Void) {
      registrar.withMutation(of: self, keyPath: \.[output: name], body)
    }

    private func observe(_ name: String) {
      registrar.access(self, keyPath: \.[output: name])
      guard listeners[name] == nil else { return }
      let isReporting = Flag()
      let listener = ViewState.Listener(name) { [weak self] _, _ in
        // This runs on the loop's thread for each change. One report covers all changes until the main actor runs it.
        guard !isReporting.value.exchange(true, ordering: .relaxed) else { return }
        Task { @MainActor in
          isReporting.value.store(false, ordering: .relaxed)
          self?.change(name) { self?.values[name] = nil }
        }
      }
      listeners[name] = listener
      view.kept.add(listener, replaying: false)
    }

    /// Whether a report to the main actor is pending.
    private final class Flag: Sendable {
      let value = Atomic(false)
    }
  }

  // MARK: - Outputs and inputs

  extension ObservedView {
    /// The current value of an output. Nil if it isn't of its type (see ``mismatch``).
    ///
    /// - Parameter output: the output.
    public subscript<Value: Decodable & Sendable>(dynamicMember output: KeyPath<Output, Driver<Value>>) -> Value? {
      read(OutputNames.name(of: output)) { try view[dynamicMember: output] }
    }

    /// The current value of an output that may have none. Also nil if it isn't of its type (see ``mismatch``).
    ///
    /// - Parameter output: the output.
    public subscript<Value: Decodable & Sendable>(dynamicMember output: KeyPath<Output, Driver<Value?>>) -> Value? {
      read(OutputNames.name(of: output)) { try view[dynamicMember: output] } ?? nil
    }

    /// The current items. Empty if they aren't of their type (see ``mismatch``).
    ///
    /// - Parameter output: the output.
    public subscript<Element: Decodable & Sendable>(
      dynamicMember output: KeyPath<Output, Driver<Items<Element>>>
    ) -> Rows<Element> {
      read(OutputNames.name(of: output)) { try view[dynamicMember: output] } ?? Rows()
    }

    /// The current items. Empty if they aren't of their type (see ``mismatch``).
    ///
    /// - Parameter output: the output.
    public subscript<Element: Decodable>(
      dynamicMember output: KeyPath<Output, Driver<Rows<Element>>>
    ) -> Rows<Element> {
      read(OutputNames.name(of: output)) { try view[dynamicMember: output] } ?? Rows()
    }

    /// An input as a method: `inbox.refresh.send()`, `try await inbox.refresh()`.
    ///
    /// - Parameter port: the input.
    public subscript<Value>(dynamicMember port: KeyPath<Input, Port<Value>>) -> InputCall<Value> {
      view[dynamicMember: port]
    }

    /// The inputs of a nested view model.
    ///
    /// - Parameter inputs: the nested inputs.
    public subscript<Inner: Ports>(dynamicMember inputs: KeyPath<Input, Inner>) -> ViewInputs<Inner> {
      view[dynamicMember: inputs]
    }

    /// The window of a list that was opened with a window; otherwise nil (see ``mismatch``).
    ///
    /// - Parameter output: the output.
    /// - Returns: the window.
    public func window<Element: Decodable & Sendable>(
      _ output: KeyPath<Output, Driver<Items<Element>>>
    ) -> Window<Element>? {
      read(OutputNames.name(of: output)) { try view.window(output) }
    }

    /// The window of a list that was opened with a window; otherwise nil (see ``mismatch``).
    ///
    /// - Parameter output: the output.
    /// - Returns: the window.
    public func window<Element: Decodable>(_ output: KeyPath<Output, Driver<Rows<Element>>>) -> Window<Element>? {
      read(OutputNames.name(of: output)) { try view.window(output) }
    }
  }
#endif
