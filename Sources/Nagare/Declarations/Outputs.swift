/// The outputs of a view model: a structure of `Driver`s and `Signal`s, or of other such structures.
///
/// ```swift
/// struct Output: Outputs {
///   let issue: Driver<Issue?>
///   let loading: Driver<Bool>
///   let saved: Signal<Void>
/// }
/// ```
/// The structure is `Encodable` so that the compiler lists its properties, with their names and in their order, and
/// rejects properties that can't be sent. A view model whose outputs get their names at run time implements
/// `encode(to:)` itself. It encodes each output under its name, into a keyed container.
public protocol Outputs: Encodable {}
