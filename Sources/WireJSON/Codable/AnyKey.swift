/// The name of a field, or the index of an element as `[2]`.
struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) { (stringValue, intValue) = (name, nil) }
  init(at index: Int) { (stringValue, intValue) = ("[\(index)]", index) }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(at: intValue) }
}
