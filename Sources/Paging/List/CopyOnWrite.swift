/// A value in a box of its own, so that whoever holds it stays small. Copies are independent: changing one copies a shared
/// box first.
struct CopyOnWrite<Value> {
  private final class Box {
    // Not checked for overlapping accesses at run time, because only `value` below accesses it: for as long as the value is
    // changed, so is the structure.
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
