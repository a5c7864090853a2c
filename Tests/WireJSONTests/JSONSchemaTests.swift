import Testing
import WireJSON

struct JSONSchemaTests {
  @Test func `keywords are written only if they have a value`() {
    var schema = JSONSchema(type: .integer)
    schema.title = "Count"
    schema.minimum = 0
    schema.maximum = 9
    schema.defaultValue = 3.json
    #expect(
      schema.described("How many.").json.text
        == #"{"title":"Count","description":"How many.","type":"integer","minimum":0,"maximum":9,"default":3}"#)
    #expect(JSONSchema().json.text == "{}")
    #expect(schema.described("").description == nil)
  }

  @Test func `a reference has no other keywords, and its prefix depends on the document`() {
    let reference = JSONSchema.reference("Item").described("Not said beside a reference.")
    #expect(reference.json.text == ##"{"$ref":"#/components/schemas/Item"}"##)
    var writer = JSONWriter()
    var list = JSONSchema(type: .array)
    list.items = reference
    list.write(to: &writer, referencePrefix: "#/$defs/")
    #expect(writer.text == ##"{"type":"array","items":{"$ref":"#/$defs/Item"}}"##)
  }

  @Test func `null may be added to any schema`() {
    #expect(String.schema.nullable.json.text == #"{"type":["string","null"]}"#)
    #expect(String.schema.nullable.nullable.json.text == #"{"type":["string","null"]}"#)
    #expect(RawJSON.schema.nullable.json.text == "{}")
    #expect(
      JSONSchema.reference("A").nullable.json.text
        == ##"{"anyOf":[{"$ref":"#/components/schemas/A"},{"type":"null"}]}"##)
    var constant = JSONSchema()
    constant.constant = "x".json
    #expect(constant.nullable.json.text == #"{"anyOf":[{"const":"x"},{"type":"null"}]}"#)
  }

  @Test func `objects list their required fields`() {
    let schema = JSONSchema(properties: [
      .init("a", Bool.schema), .init("b", [Double].schema, isRequired: false), .init("c", [String: Int].schema),
    ])
    #expect(
      schema.json.text == #"""
        {"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"array","items":{"type":"number"}},\#
        "c":{"type":"object","additionalProperties":{"type":"integer"}}},"required":["a","c"]}
        """#)
  }
}
