public import Flow
internal import ItemList
internal import WireJSON

/// The edits that a list shows and holds back for a while, so that the user can undo them. The source isn't asked before.
///
/// Each is a run that only waits. When it ends, the source is asked to make the edit. Closing the view ends all of them.
struct HeldEdits: Effect {
  private let sent: SentEdits
  /// The edits whose time is over.
  private(set) var due: [Int] = []

  init(_ sent: SentEdits) { self.sent = sent }

  /// False: a call that waits isn't held by the time in which its edit can be undone.
  static var isAwaited: Bool { false }
  /// A new one whenever an edit is held, sent or undone.
  var revision: Int { sent.heldRevision }
  /// All that are held.
  var wanted: WantedNumbers { .each(sum: sent.heldSum) }
  var failure: Failure? { nil }

  /// For how long an edit is held.
  func request(_ number: Int) -> Milliseconds? { sent.held[UInt(number)]?.report.milliseconds }

  func wantedNumber(after number: Int) -> Int? { sent.held.first(after: UInt(number)).map { Int($0.number) } }

  mutating func receive(_ response: Void, of number: Int) { due.append(number) }
  mutating func end(_ number: Int, failure: Failure?) { due.append(number) }
}

extension SentEdits {
  /// An edit that the source isn't asked for yet.
  struct Held {
    /// An edit of single items, or of all.
    struct Part {
      /// What it does to the list.
      var edits: [ListEdit]
      /// Makes the `Edit` of the list's item type that the source is asked for, by the ids that items have then; nil if
      /// the list makes it alone.
      let asked: ((SourceIDs) -> Any)?
      var ofAll: OfAll?
    }

    /// Its parts by the numbers that their requests will have.
    var parts: [(number: Int, part: Part)]
    /// The edit as the client sees it.
    let report: UndoableEdit
  }
}

extension ListCore {
  /// For how long removals and edits of marked items are held back; nil if they aren't.
  var undoTime: Milliseconds? { sent.canHold ? declaration.options.undo.flatMap { $0.count > 0 ? $0 : nil } : nil }

  /// For how long a change of one item is held back; nil if it isn't.
  var changeUndoTime: Milliseconds? {
    sent.canHold ? declaration.rules.changeUndo.flatMap { $0.count > 0 ? $0 : nil } : nil
  }

  /// Holds edits back that the user made at once. Returns the numbers of their requests.
  @discardableResult
  mutating func hold(_ parts: [SentEdits.Held.Part], _ report: UndoableEdit) -> [Int] {
    let parts = parts.filter { !$0.edits.isEmpty || $0.ofAll != nil }
    if parts.isEmpty { return [] }
    clearRefusal()
    sendHeldEdits(before: parts.flatMap(\.edits), isOfAll: parts.contains { $0.ofAll != nil })
    return sent.hold(parts, report)
  }

  /// Asks the source for the edits that are held back, the oldest first, up to a number.
  mutating func sendHeldEdits(upTo last: Int = .max) {
    while let (key, _) = sent.held.first, key <= UInt(last) { sendHeldEdit(key) }
  }

  /// Asks the source for an edit that is held back. No older one that is held edits the same items.
  mutating func sendHeldEdit(_ key: UInt) {
    guard let held = sent.held[key] else { return }
    sent.removeHeld(key)
    for (number, part) in held.parts {
      if let asked = part.asked {
        sent.send(part.edits, asked(sent.ids), as: number)
      } else {
        finish(part.edits, isMade: false)
      }
    }
  }

  /// Asks the source for held edits of the same items before another edit, so that it receives them in their order.
  mutating func sendHeldEdits(before edits: [ListEdit], isOfAll: Bool = false) {
    if sent.held.isEmpty { return }
    // Most edits are of items that have no other, and needn't be compared with all that are held.
    guard isOfAll || !sent.ofAll.isEmpty || edits.contains(where: self.edits.hasOlderEdit) else { return }
    let ids = Set(edits.map { sent.ids[$0.id] })
    let last = sent.held.reversed().first { _, held in
      isOfAll
        || held.parts.contains { $0.part.ofAll != nil || $0.part.edits.contains { ids.contains(sent.ids[$0.id]) } }
    }
    if let last { sendHeldEdits(upTo: Int(last.number)) }
  }

  /// Undoes the newest edit that is held back, if there is one.
  mutating func undo() {
    guard let (key, held) = sent.held.last else { return }
    sent.removeHeld(key)
    for (number, part) in held.parts.reversed() {
      sent.ofAll[UInt(number)] = nil
      endRemovalOfAll(number, isRefused: true)
      refuse(part.edits, nil)
      marks?.end(number, isRefused: true)
    }
  }
}

extension Paged {
  /// The edits that are held back. Assigning those whose time is over has the source asked for them.
  var heldEdits: HeldEdits {
    get { HeldEdits(core.value.sent) }
    set { step { core in for number in newValue.due { core.sendHeldEdit(UInt(number)) } } }
  }

  /// The newest edit that can be undone; nil if there is none.
  public var undoable: UndoableEdit? {
    core.value.sent.held.last.map { $0.value.report.renamed(by: core.value.sent.ids) }
  }

  /// Undoes the newest edit that can still be undone. Does nothing if there is none.
  ///
  /// Such edits are listed at once, but the source is asked only after the time in ``PagingOptions/undo``, or when the view
  /// closes.
  public mutating func undo() { step { $0.undo() } }
}

extension Feedback {
  /// Has a list hold back edits that can be undone, if its options say so.
  @usableFromInline
  func holdEdits<Item>(of path: WritableKeyPath<State, Paged<Item>>) {
    let declaration = state[keyPath: path].core.value.declaration
    guard declaration.options.undo?.count ?? 0 > 0 || declaration.rules.changeUndo?.count ?? 0 > 0 else { return }
    func holding(_ list: Paged<Item>) -> Paged<Item> {
      var list = list
      list.core.value.sent.canHold = true
      return list
    }
    let clock = clock
    change { $0[keyPath: path] = holding($0[keyPath: path]) }
    prepare(path, unless: { $0.core.value.sent.canHold }, by: holding)
    react(to: path.appending(path: \.heldEdits)) { time in
      Observable<Int>.timer(time.duration, on: clock).map { _ in }
    }
    onClose { state in
      if !state[keyPath: path].core.value.sent.held.isEmpty { state[keyPath: path].step { $0.sendHeldEdits() } }
    }
  }
}
