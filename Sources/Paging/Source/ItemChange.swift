public import Flow
internal import ItemList

/// An event of a server: one item of a list has come, is another than it was, or has gone.
///
/// ```swift
/// let events: Observable<ItemChange<Message>> = socket.messages.map { .insert($0, at: .end) }
/// let list = PagedList { key, size in try await server.messages(before: key, size) }
///   .following(events)
/// ```
/// Events have no states: each counts as soon as it comes. Where the server numbers its states, so that nothing is lost while a
/// connection is down, a list follows ``SourceChanges`` instead.
public enum ItemChange<Item: Codable & Identifiable> where Item.ID: Encodable {
  /// An item is listed at a place; one that is listed already moves there.
  case insert(Item, at: RowPlace = .ordered)
  /// An item is another than the one with its id was. It isn't listed by that.
  case change(Item)
  /// The item with an id is gone.
  case remove(Item.ID)

  /// The same for a list. An item that can't be listed is left out, and is a failure.
  var changes: SourceChanges<Item> {
    do throws(ItemFailure) {
      switch self {
      case .insert(let item, let place): return SourceChanges([try .insert(item, place)])
      case .change(let item): return SourceChanges([try .change(item)])
      case .remove(let id): return SourceChanges([SourceChanges.Change.remove(id)].compactMap(\.self))
      }
    } catch {
      return SourceChanges(failures: [LoadFailure(.badRecord, error.message)])
    }
  }
}

extension Feedback {
  /// Says which events of a server change a list: what is inserted, changed and removed from the first load on.
  ///
  /// ```swift
  /// state.follow(\.messages, events: socket.messages.map { .insert($0, at: .end) })
  /// ```
  /// If the stream fails with a retryable failure, it is subscribed to again, and the list is read again, as events may have
  /// been missed.
  ///
  /// - Parameters:
  ///   - path: the list.
  ///   - pace: the shortest time between two steps in which events are listed; nil for that of the list's options.
  ///   - events: the events, from each subscription on.
  public func follow<Item>(
    _ path: WritableKeyPath<State, Paged<Item>>, atMostEvery pace: Duration? = nil, events: Observable<ItemChange<Item>>
  ) {
    follow(path, atMostEvery: pace) { _ in events.sourceChanges() }
  }
}

extension Observable {
  /// The events as what a list follows: the first value says that they come.
  func sourceChanges<Item>() -> Observable<SourceChanges<Item>> where Element == ItemChange<Item> {
    map(\.changes).startWith(SourceChanges())
  }
}
