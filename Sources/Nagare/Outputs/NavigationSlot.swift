internal import Flow
internal import RPC
internal import WireJSON

/// An output whose values open views. It opens each view immediately, so that work which the view begins belongs to the
/// same step. At the end of the step it sends the notification.
final class NavigationSlot: OutputSlot {
  private let stream: Observable<Navigation>
  private var opened: [View] = []

  init(_ name: String, _ stream: Observable<Navigation>) {
    self.stream = stream
    super.init(name, schema: Navigation.schema)
  }

  override func subscribe() -> any Disposable {
    stream.subscribe(
      onNext: { [unowned self] navigation in
        guard let child = view?.open(navigation) else { return }
        opened.append(child)
        touch()
      })
  }

  override func sendEvents(by outbox: Outbox) -> Bool {
    let opened = opened
    self.opened = []
    for child in opened {
      send(by: outbox) { writer in
        writer.beginObject()
        writer.member("screen", child.screen)
        writer.member("view", child.name)
        writer.key("outputs")
        child.writeOutputs(to: &writer)
        writer.endObject()
      }
    }
    return false
  }
}

extension Navigation: OutputValue {
  static var schema: JSONSchema {
    JSONSchema(properties: [
      JSONSchema.Property("screen", String.schema.described("The screen that was opened.")),
      JSONSchema.Property("view", String.schema.described("The new view.")),
      JSONSchema.Property("outputs", JSONSchema(type: .object).described("The current values of its states.")),
    ]).titled("Navigation")
  }

  /// Creates an output that opens views.
  public static func makeSlot(named name: String, for stream: Observable<Navigation>) -> OutputSlot {
    NavigationSlot(name, stream)
  }
}
