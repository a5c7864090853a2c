/// The coding path of a value, as a linked list. The array is built only on demand.
final class CodingLocation {
  private let around: CodingLocation?
  private let step: any CodingKey

  init(_ step: any CodingKey, in around: CodingLocation?) { (self.step, self.around) = (step, around) }

  var path: [any CodingKey] { (around?.path ?? []) + [step] }
}
