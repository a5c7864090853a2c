public import Flow
internal import ItemList

/// An event that a server sends: an item of a list was inserted, changed or removed.
///
/// ```swift
/// let events: Observable<ItemChange<Message>> = socket.messages.map { .insert($0, at: .end) }
/// let list = PagedList { key, size in try await server.messages(before: key, size) }
///   .following(events)
/// ```
/// Events have no states: each applies when it arrives. If the server numbers its states, use ``SourceChanges``
/// instead. Then no change is lost while the connection is down.
public enum ItemChange<Item: Codable & Identifiable> where Item.ID: Encodable {
  /// An item is inserted at a place. An item that is listed already moves there.
  case insert(Item, at: RowPlace = .ordered)
  /// An item replaces the listed item with the same id. An item that isn't listed stays unlisted.
  case change(Item)
  /// The item with an id was removed.
  case remove(Item.ID)

  /// The event as a change of a list. An item that can't be listed becomes a failure.
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
  /// Applies the events of a server to a list, from its first load on.
  ///
  /// ```swift
  /// state.follow(\.messages, events: socket.messages.map { .insert($0, at: .end) })
  /// ```
  /// After a retryable failure the list subscribes to the stream again and reloads, because events may be missing.
  ///
  /// - Parameters:
  ///   - path: the list.
  ///   - pace: the shortest time between two steps in which events are listed; nil for that of the list's options.
  ///   - events: the insertions, changes and removals.
  public func follow<Item>(
    _ path: WritableKeyPath<State, Paged<Item>>, atMostEvery pace: Duration? = nil, events: Observable<ItemChange<Item>>
  ) {
    follow(path, atMostEvery: pace) { _ in events.sourceChanges() }
  }
}

extension Observable {
  /// The events as changes of a list. The first value, which has no changes, confirms the watch.
  func sourceChanges<Item>() -> Observable<SourceChanges<Item>> where Element == ItemChange<Item> {
    map(\.changes).startWith(SourceChanges())
  }
}
