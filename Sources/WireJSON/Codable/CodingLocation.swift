/// The coding path of a value, as a linked list: the array is built only if somebody asks for it.
final class CodingLocation {
  private let around: CodingLocation?
  private let step: any CodingKey

  init(_ step: any CodingKey, in around: CodingLocation?) { (self.step, self.around) = (step, around) }

  var path: [any CodingKey] { (around?.path ?? []) + [step] }
}
