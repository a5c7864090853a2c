/// A part of a state, and where it lies in there, if it is stored.
///
/// To follow a key path at run time costs a hundred times as much as to read what it leads to, and each turn looks at every
/// output and all work.
@usableFromInline
struct Place<State, Part, Path: KeyPath<State, Part>> {
  @usableFromInline let path: Path
  /// In bytes; nil for a part that is computed.
  @usableFromInline let offset: Int?

  @inlinable
  init(_ path: Path) {
    self.path = path
    offset = MemoryLayout<State>.offset(of: path)
  }
}

extension FeedbackCore {
  /// Looks at a part of the state where it lies.
  @inlinable
  func read<Part, Path: KeyPath<State, Part>, Result>(
    at place: Place<State, Part, Path>, _ body: (Part) -> Result
  ) -> Result {
    expectNoChange()
    guard let offset = place.offset else { return unsafe body(stored[keyPath: place.path]) }
    return unsafe withUnsafeMutablePointer(to: &stored) { state in
      unsafe body(UnsafeRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Part.self).pointee)
    }
  }

  /// Changes a part of the state where it lies.
  @inlinable
  func change<Part, Result, Failed: Error>(
    at place: Place<State, Part, WritableKeyPath<State, Part>>, _ body: (inout Part) throws(Failed) -> Result
  ) throws(Failed) -> Result {
    try change { state throws(Failed) in
      guard let offset = place.offset else { return try body(&state[keyPath: place.path]) }
      return try unsafe withUnsafeMutablePointer(to: &state) { state throws(Failed) in
        try unsafe body(&UnsafeMutableRawPointer(state).advanced(by: offset).assumingMemoryBound(to: Part.self).pointee)
      }
    }
  }

  /// Reads a part of the state.
  @inlinable
  func read<Part, Path: KeyPath<State, Part>>(_ place: Place<State, Part, Path>) -> Part {
    read(at: place) { $0 }
  }
}
