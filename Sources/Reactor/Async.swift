public import Flow

extension ObservableConvertible {
  /// A stream of one value that asynchronous work gives, and completion; the work's error is the stream's.
  ///
  /// ```swift
  /// Articles { page in .async(on: loop) { try await client.articles(page: page) } }
  /// ```
  /// The work begins when somebody subscribes, for each subscriber anew, in a task of its own that runs beside the loop
  /// on Swift's own threads. What it gives is told on the loop's thread, as a step of its own. Disposing of the
  /// subscription cancels the task, and nothing is told any more, even by work that doesn't look whether it is cancelled.
  ///
  /// The main actor stands still while the loop runs: work that waits for it waits for ever.
  ///
  /// - Parameters:
  ///   - loop: the loop that tells what the work gave.
  ///   - work: what is to be done; it may await, and throw.
  /// - Returns: the stream.
  public static func async<Value: Sendable>(
    on loop: EventLoop, _ work: @escaping @Sendable () async throws -> Value
  ) -> Observable<Value> where Self == Observable<Value> {
    .create { observer in
      let number = loop.awaited.add(observer)
      let mailbox = loop.mailbox
      let task = Task.detached {
        let outcome: Result<Value, any Error>
        do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
        // The observer belongs to the loop's thread; this one knows no more of it than its number.
        mailbox.send { loop in
          guard let observer = loop.awaited.remove(number) as? Observer<Value> else { return }
          switch outcome {
          case .success(let value):
            observer.onNext(value)
            observer.onCompleted()
          case .failure(let error): observer.onError(error)
          }
        }
      }
      return AnyDisposable { [weak loop] in
        task.cancel()
        loop?.awaited.remove(number)
      }
    }
  }
}

/// Who waits or lives on the loop's thread, by numbers that other threads can keep.
struct Awaited {
  private var objects: [Int: AnyObject] = [:]
  private var lastNumber = 0

  /// How many wait.
  var count: Int { objects.count }

  /// Adds one who waits, and gives the number to find it by.
  mutating func add(_ object: AnyObject) -> Int {
    lastNumber += 1
    objects[lastNumber] = object
    return lastNumber
  }

  /// One who waits, by the number; nil if it waits no more.
  subscript(number: Int) -> AnyObject? { objects[number] }

  /// Takes one out; nil if it waits no more.
  @discardableResult
  mutating func remove(_ number: Int) -> AnyObject? { objects.removeValue(forKey: number) }
}
