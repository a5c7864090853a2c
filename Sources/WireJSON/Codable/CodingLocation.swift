/// The way to a value that lies in another one. Coders keep it so that nothing is built before somebody asks for it.
final class CodingLocation {
  private let around: CodingLocation?
  private let step: any CodingKey

  init(_ step: any CodingKey, in around: CodingLocation?) { (self.step, self.around) = (step, around) }

  var path: [any CodingKey] { (around?.path ?? []) + [step] }
}
