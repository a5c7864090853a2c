/// A key path into a state. For a stored property it also keeps the offset.
///
/// Following a key path at run time costs a hundred times as much as reading the value, and each turn reads every
/// output and effect.
@usableFromInline
struct StoredField<State, Part, Path: KeyPath<State, Part>> {
  @usableFromInline let path: Path
  /// The offset in bytes; nil for a computed property.
  @usableFromInline let offset: Int?

  @inlinable
  init(_ path: Path) {
    self.path = path
    offset = MemoryLayout<State>.offset(of: path)
  }
}

extension FeedbackCore {
  /// Reads a part of the state in place, without a copy.
  @inlinable
  func read<Part, Path: KeyPath<State, Part>, Result>(
    at field: StoredField<State, Part, Path>, _ body: (Part) -> Result
  ) -> Result {
    expectNoChange()
    guard let offset = field.offset else { return unsafe body(stored[keyPath: field.path]) }
    return unsafe withUnsafeMutablePointer(to: &stored) { state in
      unsafe body(UnsafeRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Part.self).pointee)
    }
  }

  /// Changes a part of the state in place.
  @inlinable
  func change<Part, Result, Failed: Error>(
    at field: StoredField<State, Part, WritableKeyPath<State, Part>>, _ body: (inout Part) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try change { state throws(Failed) in
      guard let offset = field.offset else { return try body(&state[keyPath: field.path]) }
      return try unsafe withUnsafeMutablePointer(to: &state) { state throws(Failed) in
        try unsafe body(&UnsafeMutableRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Part.self).pointee)
      }
    }
  }

  /// Reads a copy of a part of the state.
  @inlinable
  func read<Part, Path: KeyPath<State, Part>>(_ field: StoredField<State, Part, Path>) -> Part {
    read(at: field) { $0 }
  }
}
