/// A variable that several closures share.
///
/// Code reads and writes it only as a whole, never in place. Therefore it needs no run-time check for overlapping
/// accesses, which would cost more than the access itself: no foreign code runs between the start and the end of an
/// access. The setter releases the old value only after the exchange, so not even the old value's deinitializer runs in
/// between.
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
