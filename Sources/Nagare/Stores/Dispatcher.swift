package import Flow
public import RPC
internal import WireJSON

/// The one way to the stores: gives each action to all stores that take its type.
///
/// Actions go one way, as in Flux: a view model dispatches one, the dispatcher gives it to the stores, and views hear of
/// it from these. An action dispatched while another is on its way waits until that has reached everybody.
public final class Dispatcher {
  /// What a store makes of an action's value: the change, which is carried out later.
  typealias Reducer = (RawJSON) throws(DecodingFailure) -> (WaitingCall?) -> Void

  private var reducers: [WireText: [Reducer]] = [:]
  /// The types of action that stores take, in the order in which they were named first.
  public private(set) var types: [String] = []
  private var changes: [() -> Void] = []
  private var isDispatching = false

  /// A dispatcher without stores.
  public init() {}

  func add(_ type: String, _ reducer: @escaping Reducer) {
    if reducers[WireText(type)] == nil { types.append(type) }
    reducers[WireText(type), default: []].append(reducer)
  }

  /// Gives an action to the stores that take it. If one of them can't take its value, none does: that is an
  /// ``RPCError`` with `invalidParams`, and so it is where no store takes such an action.
  public func dispatch(_ action: AnyAction) throws(RPCError) { try dispatch(action, for: nil) }

  /// Gives an action to the stores for a call that waits for all that follows from it.
  package func dispatch(_ action: AnyAction, for call: WaitingCall?) throws(RPCError) {
    guard let reducers = reducers[WireText(action.type)] else {
      let known =
        types.isEmpty ? "an action that a store handles; there are none" : alternatives(types.map(\.json.text))
      throw RPCError("action.type", mustBe: known, not: action.type)
    }
    // A copy of its own lets go of the read buffer that the value lies in.
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
