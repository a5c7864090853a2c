package import Flow
public import RPC
internal import WireJSON

/// Sends each action to all stores that handle its type. It is the only way to change a store.
///
/// Data flows in one direction, as in Flux: a view model dispatches an action, the dispatcher sends it to the stores,
/// and views receive the stores' new states. An action that is dispatched during another one waits until the views have
/// received the first one's changes.
public final class Dispatcher {
  /// Validates an action's value for one store. Returns the change, which is made later.
  typealias Reducer = (RawJSON) throws(DecodingFailure) -> (WaitingCall?) -> Void

  private var reducers: [WireText: [Reducer]] = [:]
  /// The types of action that the stores handle, in the order in which they were first named.
  public private(set) var types: [String] = []
  private var changes: [() -> Void] = []
  private var isDispatching = false

  /// A dispatcher without stores.
  public init() {}

  func add(_ type: String, _ reducer: @escaping Reducer) {
    if reducers[WireText(type)] == nil { types.append(type) }
    reducers[WireText(type), default: []].append(reducer)
  }

  /// Sends an action to the stores that handle its type.
  ///
  /// - Throws: ``RPCError`` with `invalidParams` if no store handles the type, or one of the stores refuses the value.
  ///   Then no store changes.
  public func dispatch(_ action: AnyAction) throws(RPCError) { try dispatch(action, for: nil) }

  /// Sends an action to the stores. `call` waits for all work that follows from it.
  package func dispatch(_ action: AnyAction, for call: WaitingCall?) throws(RPCError) {
    guard let reducers = reducers[WireText(action.type)] else {
      let known =
        types.isEmpty ? "an action that a store handles; there are none" : alternatives(types.map(\.json.text))
      throw RPCError("action.type", mustBe: known, not: action.type)
    }
    // The copy doesn't keep the whole read buffer, which contains the value, in memory.
    let value = RawJSON(copying: action.value)
    var prepared: [(WaitingCall?) -> Void] = []
    for reducer in reducers {
      do throws(DecodingFailure) {
        prepared.append(try reducer(value))
      } catch {
        throw RPCError(error, within: ["action", "value"])
      }
    }
    changes += prepared.map { change in { change(call) } }
    guard !isDispatching else { return }
    isDispatching = true
    defer { isDispatching = false }
    while !changes.isEmpty { changes.removeFirst()() }
  }
}
