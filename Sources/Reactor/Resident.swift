internal import Flow

/// An object that lives on the loop's thread, as all others know it: by a number, under which it is sent work.
package struct Resident<Object: AnyObject & SendableMetatype>: Sendable {
  private let mailbox: Mailbox
  private let number: Int

  /// Makes an object on the thread of the ``LoopThread``. Throws what `make` throws, or ``SystemError`` if there can be
  /// no such thread.
  package init(making make: @escaping @Sendable (EventLoop) throws -> Object) async throws {
    let mailbox = try LoopThread.mailbox()
    let number: Int = try await withCheckedThrowingContinuation { continuation in
      mailbox.send { loop in
        continuation.resume(with: Result { loop.handles.add(try make(loop)) })
      }
    }
    (self.mailbox, self.number) = (mailbox, number)
  }

  /// Has the object do something, after all that it was sent before. Nothing is done once it has moved out.
  package func perform(_ work: @escaping @Sendable (Object) -> Void) {
    mailbox.send { [number] loop in
      if let object = loop.handles[number] as? Object { work(object) }
    }
  }

  /// Lets go of the object, after all that it was sent before.
  package func moveOut() { mailbox.send { [number] loop in loop.handles.remove(number) } }
}
