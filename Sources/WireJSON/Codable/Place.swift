/// The way to a value that lies in another one. Coders keep it so that nothing is built before somebody asks for it.
final class Place {
  private let around: Place?
  private let step: any CodingKey

  init(_ step: any CodingKey, in around: Place?) { (self.step, self.around) = (step, around) }

  var path: [any CodingKey] { (around?.path ?? []) + [step] }
}

/// A member's name, or an element's place as `[2]`.
struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) { (stringValue, intValue) = (name, nil) }
  init(at index: Int) { (stringValue, intValue) = ("[\(index)]", index) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(at: intValue) }
}
