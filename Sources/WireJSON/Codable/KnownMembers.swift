/// The fields of a value, and of all values in it, that its types decode. It is used to reject other fields.
final class KnownMembers {
  let others: DecodingContext.UnknownMembers
  /// The decoded field names of each object, numbered in the order of decoding. The key is the offset of the object's
  /// start, because one object may have several decoders.
  private var objects: [Int: (decoder: ValueDecoder, names: [WireText: Int])] = [:]

  init(_ others: DecodingContext.UnknownMembers) { self.others = others }

  func record(_ name: String?, of decoder: ValueDecoder) {
    guard others == .reported else { return }
    var object = objects[decoder.json.start] ?? (decoder, [:])
    if let name = name.map({ WireText($0) }), object.names[name] == nil { object.names[name] = object.names.count }
    objects[decoder.json.start] = object
  }

  func refuseOthers() throws {
    defer { objects = [:] }
    for (_, (decoder, names)) in objects.sorted(by: { $0.key < $1.key }) {
      guard let (name, value) = decoder.json.members.first(where: { names[$0.key] == nil }) else { continue }
      let known = names.sorted { $0.value < $1.value }.map(\.key.string)
      throw decoder.error(.unknownMember(name.string, in: value, known: known), RawJSON.self)
    }
  }
}
