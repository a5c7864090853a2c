import assert from "node:assert/strict";
import test from "node:test";
import { ExactNumber, parse, sameId, stringify } from "../src/index.js";
import { growth } from "./growth.js";
import { fake, random } from "./support.js";

const again = (text) => stringify(parse(text));
const exact = (text) => new ExactNumber(text);

test("integers beyond 2⁵³ become bigints, and numbers that no double holds stay exact", () => {
  const values = parse("[9007199254740991,9007199254740992,-9007199254740993,123456789012345678901234567890,1e400,-1e-400,1.0,-0,1E2,0.12345678901234567890123]");
  const wanted = [9007199254740991, 9007199254740992n, -9007199254740993n, 123456789012345678901234567890n, exact("1e400"), exact("-1e-400"), 1, -0, 100, exact("0.12345678901234567890123")];
  assert.deepEqual(values, wanted);
  assert.notDeepEqual(exact("1e400"), exact("1e401"));
  assert.equal(stringify(values), "[9007199254740991,9007199254740992,-9007199254740993,123456789012345678901234567890,1e400,-1e-400,1,0,100,0.12345678901234567890123]");
});

test("the shortest spelling of a double becomes a plain number, other numbers with 17 digits stay exact", () => {
  const pick = random(1);
  for (let count = 0; count < 20_000; count += 1) {
    const bits = new DataView(new ArrayBuffer(8));
    bits.setUint32(0, pick(2 ** 32));
    bits.setUint32(4, pick(2 ** 32));
    const number = bits.getFloat64(0);
    if (!Number.isFinite(number)) continue;
    for (const text of [String(number), number.toExponential(), `${number.toExponential()}`.toUpperCase()]) {
      const [value] = parse(`[${text}]`);
      if (/[.e]/i.test(text)) assert.ok(Object.is(value, number), text);
      else assert.equal(BigInt(value), BigInt(text), text);
    }
    const digits = number.toPrecision(17);
    assert.equal(Number(parse(digits)), number);
    assert.ok(sameId(parse(again(digits)), parse(digits)), digits);
  }
  assert.ok(Object.is(parse("[0.30000000000000004]")[0], 0.30000000000000004));
  assert.equal(stringify(parse("[0.10000000000000001,0.10]")), "[0.10000000000000001,0.1]");
});

test("an exact number behaves like a number in arithmetic, comparisons and texts", () => {
  const price = exact("0.12345678901234567890123");
  assert.deepEqual([price * 1, price.toFixed(2), `${price}`, price > 0.1], [0.12345678901234568, "0.12", "0.12345678901234567890123", true]);
  assert.equal(JSON.stringify([price]), "[0.12345678901234568]", "as well as JavaScript's own can");
  for (const [one, other] of [[exact("1e400"), exact("10.0E+399")], [5, 5], ["a", "a"], [9007199254740993n, 9007199254740993n]]) assert.ok(sameId(one, other));
  for (const [one, other] of [[exact("1e400"), exact("1e401")], [exact("1e400"), exact("-1e400")], [1, "1"], [exact("1e400"), Infinity]]) assert.ok(!sameId(one, other));
});

test("parsing is fast for an integer of a million digits and for a string that contains numbers", () => {
  const digits = "7".repeat(1_000_000);
  assert.deepEqual(parse(`{"n":${digits}}`).n, exact(digits));
  assert.equal(again(`{"n":${digits}}`), `{"n":${digits}}`);
  const text = JSON.stringify({ text: ", 12345678901234567890".repeat(50_000), n: "[1e999" });
  assert.equal(again(text), text);
});

/** Returns a random JSON text. JavaScript's own JSON rounds some of its numbers. */
function someText(pick, depth = 0) {
  const one = (...choices) => choices[pick(choices.length)];
  const digits = (count) => Array.from({ length: count }, () => pick(10)).join("");
  const space = one("", "", " ", "\t\r\n ");
  const string = () => one('""', '"__proto__"', '"a\\"b"', '"\\\\"', '"\\u0061, 9007199254740993"', '"[1e400]"', `"流れ${digits(3)}"`, '"\\\\\\" : 1e999"', '"toJSON"');
  const many = (text) => Array.from({ length: pick(4) }, text).join(`${space},${space}`);
  switch (pick(depth > 4 ? 5 : 8)) {
    case 0:
      return string();
    case 1:
      return one("true", "false", "null", "-0", "0.0", "1e5", "1.50");
    case 2:
      return `${one("", "-")}${1 + pick(9)}${digits(pick(40))}`;
    case 3:
      return `${one("", "-")}${pick(10)}.${digits(1 + pick(30))}${one("", "e1", "E-400", "e+400")}`;
    case 4:
      return `${1 + pick(9)}${one("e", "E")}${one("", "+", "-")}${pick(1000)}`;
    case 5:
    case 6:
      return `{${space}${many(() => `${string()}${space}:${space}${someText(pick, depth + 1)}`)}${space}}`;
    default:
      return `[${space}${many(() => someText(pick, depth + 1))}${space}]`;
  }
}

/** Returns the value of a text without its numbers, and the numbers separately. */
function meaning(text) {
  const numbers = [];
  const rest = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => {
    if (token.startsWith('"')) return token;
    const [, sign, whole, fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token);
    const scale = 2000 - fraction.length + Number(exponent);
    const value = BigInt(sign + whole + fraction) * 10n ** BigInt(scale);
    numbers.push(value);
    return "0";
  });
  return { rest: JSON.parse(rest), numbers };
}

test("random texts are parsed as by JavaScript, and written with their original numbers", () => {
  for (let seed = 1; seed <= 4000; seed += 1) {
    // Parsing can reorder the members of an object, and drops duplicates. So one member is left.
    const text = `[${someText(random(seed))}]`;
    const written = again(text);
    const twice = /"[^"]*"\s*:.*"[^"]*"\s*:/s.test(text);
    if (!twice) {
      const [before, after] = [meaning(text), meaning(written)];
      assert.deepEqual(after.rest, before.rest, text);
      before.numbers.forEach((number, place) => {
        // Of the spellings of a double, the shortest is written.
        if (number !== after.numbers[place]) assert.equal(Number(number), Number(after.numbers[place]), text);
      });
    }
    const plain = (value) => JSON.stringify(value, (_, member) => (typeof member === "bigint" ? Number(member) : member));
    assert.equal(plain(parse(text)), JSON.stringify(JSON.parse(text)), text);
  }
});

test("stringify writes the same as JavaScript's own, except for numbers", () => {
  const big = 9007199254740993n;
  const values = [undefined, null, NaN, () => 1, Symbol("a"), "é\ud800", new Date(0), new Map([[1, 2]]), Object.create(null), new Number(3), new String("s"), new Boolean(false),
    [undefined, () => 1, [,]], { a: undefined, b: { toJSON: (name) => `${name}!` }, toString: 1, valueOf: 2, hasOwnProperty: 3, "": 4 }, JSON.parse('{"__proto__":1}')];
  for (const value of values) {
    assert.equal(stringify({ value }), JSON.stringify({ value }));
    assert.equal(stringify([value, big]), JSON.stringify([value, "big"]).replace('"big"', "9007199254740993"));
  }
  assert.equal(stringify({ a: { toJSON: () => big } }), '{"a":9007199254740993}');
  const circle = { big };
  circle.circle = circle;
  assert.throws(() => stringify(circle), /circular/);
});

test("bigints are written as numbers even if the app gave them a toJSON", () => {
  BigInt.prototype.toJSON = function () {
    return String(this);
  };
  try {
    assert.equal(stringify({ id: 9007199254740993n, b: [1, "a"] }), '{"id":9007199254740993,"b":[1,"a"]}');
  } finally {
    delete BigInt.prototype.toJSON;
  }
});

test("a received item is sent back with exact numbers, so no other item is removed", async () => {
  const { server, view } = await fake();
  const sent = [];
  server.hears = (text) => sent.push(text);
  server.events.message('{"jsonrpc":"2.0","method":"items","params":{"view":"v1","revision":1,"value":[{"id":9007199254740992},{"id":9007199254740993,"price":1e400,"x":[1.50]}]}}');
  const [, item] = view.items;
  void view.call("remove", { id: item.id });
  view.send("change", { item: { ...item, read: true } });
  const params = sent.map((text) => text.replace(/^.*"params":/, ""));
  assert.deepEqual(params, ['{"id":9007199254740993,"view":"v1","wait":true}}', '{"item":{"id":9007199254740993,"price":1e400,"x":[1.5],"read":true},"view":"v1"}}']);
});

test("the steps for a number grow linearly with its length", () => {
  const numbers = {
    zeros: (length) => `[0.1${"0".repeat(length)}1]`,
    "leading zeros": (length) => `[0.${"0".repeat(length)}1]`,
    "trailing zeros": (length) => `[0.1${"0".repeat(length)}]`,
    "an exponent": (length) => `[1e${"0".repeat(length)}1]`,
    digits: (length) => `[1.${"1".repeat(length)}]`,
    spaces: (length) => `[1,${" ".repeat(length)}1e400]`,
    "digits in a text": (length) => `["${",1".repeat(length)}"]`,
    "spaces in a text": (length) => `["${",   ".repeat(length)}"]`,
  };
  for (const [name, text] of Object.entries(numbers)) {
    const texts = new Map([10_000, 100_000].map((length) => [length, text(length)]));
    const ratio = growth((length) => parse(texts.get(length)), 10_000);
    assert.ok(ratio < 15, `${name}: ${ratio}`);
  }
  const [one, other] = [parse(`[1${"0".repeat(100_000)}1.5]`)[0], parse(`[1${"0".repeat(100_000)}1.50]`)[0]];
  assert.ok(sameId(one, other));
});
