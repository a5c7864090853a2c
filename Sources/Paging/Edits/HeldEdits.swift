public import Flow
internal import ItemList
internal import WireJSON

/// The edits that the user can still undo. The list shows them at once, but sends them to the source only after some
/// time.
///
/// Each edit waits as one run of this effect. When the run ends, the edit is sent. Closing the view ends all runs.
struct HeldEdits: Effect {
  private let sent: SentEdits
  /// The edits whose time is over.
  private(set) var due: [Int] = []

  init(_ sent: SentEdits) { self.sent = sent }

  /// False: a call with `wait` is answered at once, not after the time in which its edit can be undone.
  static var isAwaited: Bool { false }
  /// Changes whenever an edit is held, sent or undone.
  var revision: Int { sent.heldRevision }
  /// All held edits.
  var wanted: WantedNumbers { .each(sum: sent.heldSum) }
  var failure: Failure? { nil }

  /// The time for which an edit is held.
  func request(_ number: Int) -> Milliseconds? { sent.held[UInt(number)]?.report.milliseconds }

  func wantedNumber(after number: Int) -> Int? { sent.held.first(after: UInt(number)).map { Int($0.number) } }

  mutating func receive(_ response: Void, of number: Int) { due.append(number) }
  mutating func end(_ number: Int, failure: Failure?) { due.append(number) }
}

extension SentEdits {
  /// An edit that isn't sent to the source yet.
  struct Held {
    /// A part of the edit: one request to the source, for single items or for all.
    struct Part {
      /// The changes of the list.
      var edits: [ListEdit]
      /// Makes the `Edit` of the list's item type to send, using the ids that items have at that time; nil if the list
      /// makes the edit alone.
      let asked: ((SourceIDs) -> Any)?
      var editOfAll: EditOfAll?
    }

    /// The parts, each with the number that its request will have.
    var parts: [(number: Int, part: Part)]
    /// The edit as the client sees it.
    let report: UndoableEdit
  }
}

extension ListCore {
  /// For how long removals and edits of marked items are held; nil if they are sent at once.
  var undoTime: Milliseconds? { sent.canHold ? declaration.removalUndo : nil }

  /// For how long a change of one item is held; nil if it is sent at once.
  var changeUndoTime: Milliseconds? { sent.canHold ? declaration.changeUndo : nil }

  /// Holds an edit of the user, which may have several parts. Returns the numbers of their requests.
  @discardableResult
  mutating func hold(_ parts: [SentEdits.Held.Part], _ report: UndoableEdit) -> [Int] {
    let parts = parts.filter { !$0.edits.isEmpty || $0.editOfAll != nil }
    if parts.isEmpty { return [] }
    clearRefusal()
    sendHeldEdits(before: parts.flatMap(\.edits), isOfAll: parts.contains { $0.editOfAll != nil })
    return sent.hold(parts, report)
  }

  /// Sends the held edits to the source, the oldest first, up to a number.
  mutating func sendHeldEdits(upTo last: Int = .max) {
    while let (key, _) = sent.held.first, key <= UInt(last) { sendHeldEdit(key) }
  }

  /// Sends a held edit to the source. Older held edits of the same items must be sent before.
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

  /// Sends held edits of the same items before another edit, so that the source receives them in the order in which
  /// they were made.
  mutating func sendHeldEdits(before edits: [ListEdit], isOfAll: Bool = false) {
    if sent.held.isEmpty { return }
    // Most edits concern items without other edits. For these, this check avoids a comparison with all held edits.
    guard isOfAll || !sent.editsOfAll.isEmpty || edits.contains(where: self.edits.hasOlderEdit) else { return }
    let ids = Set(edits.map { sent.ids[$0.id] })
    let last = sent.held.reversed().first { _, held in
      isOfAll
        || held.parts.contains { $0.part.editOfAll != nil || $0.part.edits.contains { ids.contains(sent.ids[$0.id]) } }
    }
    if let last { sendHeldEdits(upTo: Int(last.number)) }
  }

  /// Undoes the newest held edit, if there is one.
  mutating func undo() {
    guard let (key, held) = sent.held.last else { return }
    sent.removeHeld(key)
    for (number, part) in held.parts.reversed() {
      sent.editsOfAll[UInt(number)] = nil
      endRemovalOfAll(number, isRefused: true)
      refuse(part.edits, nil)
      marks?.end(number, isRefused: true)
    }
  }
}

extension Paged {
  /// The held edits. Assigning this property sends the edits whose time is over.
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
  /// Such edits are listed at once, but they are sent only after the time in ``PagingOptions/undo``, or when the view
  /// closes.
  public mutating func undo() { step { $0.undo() } }
}

extension Feedback {
  /// Makes a list hold the edits that can be undone, if its options allow undo.
  @usableFromInline
  func holdEdits<Item>(of path: WritableKeyPath<State, Paged<Item>>) {
    let declaration = state[keyPath: path].core.value.declaration
    guard declaration.removalUndo != nil || declaration.changeUndo != nil else { return }
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
