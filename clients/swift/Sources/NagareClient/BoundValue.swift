#if canImport(Observation)
  public import Nagare
  public import Observation

  /// An output and an input of a view, combined into one value that a control can show and set.
  ///
  /// ```swift
  /// let text = letter.bound(\.text, to: \.write, default: "")
  /// text.value = "Dear Mei"
  /// ```
  /// A new value is shown at once, so that a text field doesn't fall behind the keys. When the server has answered, the
  /// output is shown again. Usually it has the same value. It differs if the screen changed the value or the server
  /// refused it. For SwiftUI, `Bindable(text).value` is a `Binding`.
  @MainActor
  public final class BoundValue<Value: Codable & Sendable>: Observation.Observable {
    private let read: @MainActor () -> Value
    private let write: @MainActor (Value) -> Void

    init(_ read: @escaping @MainActor () -> Value, _ write: @escaping @MainActor (Value) -> Void) {
      (self.read, self.write) = (read, write)
    }

    /// The value. The ``ObservedView`` that it belongs to reports its changes.
    public var value: Value {
      get { read() }
      set { write(newValue) }
    }
  }

  extension ObservedView {
    /// Combines an output and an input into one value that can be set.
    ///
    /// - Parameters:
    ///   - output: the state that the control shows.
    ///   - input: the input that receives the values that the control sets.
    ///   - value: the value to show if the output isn't of its type.
    /// - Returns: the combined value.
    public func bound<Value: Codable & Sendable>(
      _ output: KeyPath<Output, Driver<Value>>, to input: KeyPath<Input, Port<Value>>, default value: Value
    ) -> BoundValue<Value> {
      let name = OutputNames.name(of: output)
      return BoundValue {
        self.setting(name, of: Value.self) ?? self[dynamicMember: output] ?? value
      } _: { newValue in
        self.view[dynamicMember: input].send(newValue)
        self.set(newValue, name)
      }
    }
  }

  #if canImport(SwiftUI)
    public import SwiftUI

    // Linux has no SwiftUI, so this part has not been compiled.
    extension ObservedView {
      /// Combines an output and an input into a binding for a control.
      ///
      /// ```swift
      /// TextField("Text", text: letter.binding(\.text, to: \.write, default: ""))
      /// ```
      /// - Parameters:
      ///   - output: the state that the control shows.
      ///   - input: the input that receives the values that the control sets.
      ///   - value: the value to show if the output isn't of its type.
      /// - Returns: the binding.
      public func binding<Value: Codable & Sendable>(
        _ output: KeyPath<Output, Driver<Value>>, to input: KeyPath<Input, Port<Value>>, default value: Value
      ) -> Binding<Value> {
        Bindable(bound(output, to: input, default: value)).value
      }
    }
  #endif
#endif
