/// A variable that closures share.
///
/// It is only read and written whole, never in place. That is what lets it do without the run-time check for
/// overlapping accesses, which would cost more than the access: nobody else's code runs between its start and its end.
/// That includes the deinitializer of the old value, which is released only after the exchange.
@usableFromInline
final class Box<Value> {
  @exclusivity(unchecked)
  @usableFromInline
  var storage: Value

  @inlinable
  init(_ value: Value) { unsafe storage = value }

  @inlinable
  var value: Value {
    get { unsafe storage }
    set {
      var value = newValue
      unsafe swap(&storage, &value)
    }
  }
}
