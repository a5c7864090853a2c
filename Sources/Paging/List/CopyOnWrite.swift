/// A value stored in a box on the heap, which keeps the containing structure small. Copies are independent: changing a
/// copy first copies a shared box.
struct CopyOnWrite<Value> {
  private final class Box {
    // Run-time checks for overlapping accesses are off, because only `value` below accesses the box. While the value is
    // changed, the structure around it is changed too, so those checks cover it.
    @exclusivity(unchecked) var value: Value

    init(_ value: Value) { unsafe self.value = value }
  }

  private var box: Box

  init(_ value: Value) { box = Box(value) }

  var value: Value {
    @inline(__always) _read { yield unsafe box.value }
    @inline(__always) _modify {
      if !isKnownUniquelyReferenced(&box) { box = unsafe Box(box.value) }
      yield unsafe &box.value
    }
  }
}
