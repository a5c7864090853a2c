/// Objects that stay on a scheduler's thread. Other threads keep only an object's number, and send answers or values to
/// it.
package struct HandleTable {
  private var objects: [Int: (object: AnyObject, isInBackground: Bool)] = [:]
  private var lastNumber = 0
  private var backgroundCount = 0

  /// The number of objects.
  package var count: Int { objects.count }
  /// Whether all objects are in the background. A program that ends doesn't wait for them, because a feed may be
  /// endless.
  package var isIdle: Bool { objects.count == backgroundCount }
  /// Whether there are objects in the background.
  package var hasBackground: Bool { backgroundCount > 0 }

  /// Makes an empty table.
  package init() {}

  /// Adds an object.
  ///
  /// - Parameters:
  ///   - object: receives the answer or the values.
  ///   - isInBackground: whether a program that ends doesn't wait for this object, for example because it receives a
  ///     feed.
  /// - Returns: the object's number.
  package mutating func add(_ object: AnyObject, isInBackground: Bool = false) -> Int {
    lastNumber += 1
    objects[lastNumber] = (object, isInBackground)
    if isInBackground { backgroundCount += 1 }
    return lastNumber
  }

  /// The object with a number; nil if it was removed.
  package subscript(number: Int) -> AnyObject? { objects[number]?.object }

  /// Removes an object; nil if it was removed before.
  @discardableResult
  package mutating func remove(_ number: Int) -> AnyObject? {
    guard let (object, isInBackground) = objects.removeValue(forKey: number) else { return nil }
    if isInBackground { backgroundCount -= 1 }
    return object
  }
}
