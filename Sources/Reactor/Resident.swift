internal import Flow

/// A handle for an object that lives on the loop's thread. Other threads refer to the object by a number, and send work
/// to it.
package struct Resident<Object: AnyObject & SendableMetatype>: Sendable {
  private let mailbox: Mailbox
  private let number: Int

  /// Makes an object on the thread of the ``LoopThread``. Throws the errors of `make`, and a ``SystemError`` if the
  /// thread can't be started.
  package init(making make: @escaping @Sendable (EventLoop) throws -> Object) async throws {
    let mailbox = try LoopThread.mailbox()
    let number: Int = try await withCheckedThrowingContinuation { continuation in
      mailbox.send { loop in
        continuation.resume(with: Result { loop.handles.add(try make(loop)) })
      }
    }
    (self.mailbox, self.number) = (mailbox, number)
  }

  /// Runs work with the object, after all work that was sent before. After ``moveOut()`` the work is dropped.
  package func perform(_ work: @escaping @Sendable (Object) -> Void) {
    mailbox.send { [number] loop in
      if let object = loop.handles[number] as? Object { work(object) }
    }
  }

  /// Releases the object, after all work that was sent before.
  package func moveOut() { mailbox.send { [number] loop in loop.handles.remove(number) } }
}
