/// The outputs of a view model: a structure of `Driver`s and `Signal`s, or of other such structures.
///
/// ```swift
/// struct Output: Outputs {
///   let issue: Driver<Issue?>
///   let loading: Driver<Bool>
///   let saved: Signal<Void>
/// }
/// ```
/// It is `Encodable` because the compiler then goes through its properties, in their order and by their names, and refuses
/// those that can't be sent. A view model whose outputs get their names at run time writes `encode(to:)` by hand: it
/// encodes each output into a keyed container under its name.
public protocol Outputs: Encodable {}
