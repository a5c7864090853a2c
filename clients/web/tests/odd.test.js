// An odd item doesn't prevent others from being shown. The modules that draw items are called with many odd values in many fields.
import assert from "node:assert/strict";
import test from "node:test";
import { parse, stringify } from "../../javascript/src/index.js";
import { hashOf, parseHash } from "../src/net/address.js";
import { asRead, describe, idOf, joinFacts, nounOf, titleOf } from "../src/text/item-display.js";
import { Element, install } from "./elements.js";

install();
const { renderArticle } = await import("../src/item/article.js");
const { parametersFor, nameItems } = await import("../src/actions/action.js");
const { renderAttachments } = await import("../src/item/attachments.js");
const { renderMarkdown } = await import("../src/item/body.js");
const { sectionName } = await import("../src/list/section-headings.js");
const { withLinks } = await import("../src/text/links.js");
const { Row } = await import("../src/list/row.js");
const { Form } = await import("../src/dialogs/form.js");
const { renderValue } = await import("../src/item/value-view.js");

const DEEP = 500;
const [HALF, OTHER_HALF] = "😀".split("");
const nested = (open, close) => parse(open.repeat(DEEP) + "1" + close.repeat(DEEP));

const ODD = {
  "deep arrays": nested("[", "]"),
  "deep objects": nested('{"a":', "}"),
  "deep, with an array on each level": nested('{"a":[', "]}"),
  "400 digits": parse("7".repeat(400)),
  "4,000 digits": parse("7".repeat(4000)),
  "a number out of range": parse("1e400"),
  "a small number": parse("1e-400"),
  "a negative number": -1,
  nothing: null,
  truth: true,
  "an empty text": "",
  "an empty array": [],
  "an empty object": {},
  "half a character": `a${HALF}b`,
  "the other half": OTHER_HALF,
  "an address that is none": "http://[x",
  "an address that runs something": "javascript:alert(1)",
  "a picture that is none": "data:image/png;base64,%%%",
  "a long text": "long ".repeat(40_000),
  "a long word": "W".repeat(200_000),
  "many open brackets": "[".repeat(100_000),
  "many stars": "**".repeat(50_000),
  "many quotes": ">".repeat(2000),
  "many emphases": "*a* ".repeat(20_000),
  "a date out of range": "2026-99-99T99:99",
  "a day out of range": "0000-00-00",
  "a year far away": "+275760-09-13T00:00:00Z",
  "a moment out of range": 8.64e15 + 1,
  "names that objects have": parse('{"__proto__":1,"constructor":2,"toString":3,"valueOf":null,"hasOwnProperty":4}'),
  "names of arrays": { length: -1, 0: "a" },
  "a mixture": [null, 1, "a", [2], { a: null }],
  "files without a name": [{ url: "http://[x", size: "big" }],
  "odd files": [{ url: "https://example.org/a", name: { a: 1 }, type: 5, size: parse("7".repeat(400)) }, { url: "data:,", name: ["a"], type: null, size: -1 }],
  "control characters": "a\u0000\u0007\u001b[31m\u202eb\r\n",
};
const NAMES = ["id", "subject", "title", "name", "sender", "from", "price", "date", "unread", "read", "body", "text", "files", "x"];
const FORMATS = ["text", "number", "boolean", "date", "time", "datetime", "money", "bytes", "duration", "image", "link", undefined];

/** Returns a function that returns random numbers from 0 to below a limit, the same ones in each run. */
function numbers(seed) {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Calls all functions that draw an item. */
function draw(item, display, value) {
  const words = describe(item, display);
  assert.equal(typeof words.title, "string");
  assert.notEqual(words.title, "This item can’t be shown", "it can be shown");
  const row = new Row(display);
  row.show(3, item, { id: "row-3", count: 9, active: true, opened: false, marked: true, place: 7 });
  for (const part of row.element.all("span")) assert.ok(part.textContent.length <= 2000, "a row has a line's worth of each text");
  joinFacts(words.facts);
  nounOf(item, 2, display);
  titleOf(item, display);
  asRead(item, display);
  nameItems([item], display);
  sectionName({ key: value });
  parametersFor({ input: "change", name: "Change", set: { x: value }, params: { to: "{x}" } }, { name: "change", summary: "", params: { properties: { id: {}, item: {}, to: {} } } }, item, display);
  stringify(idOf(item, display));
  parseHash(hashOf("items", idOf(item, display), { query: String(words.title), filters: { x: value } }));
  const drawn = [renderArticle(item, display), renderValue(item), renderAttachments(words.files.length > 0 ? words.files : [{ url: words.title }])];
  for (const text of words.texts) drawn.push(...withLinks(text.text).filter((node) => node instanceof Element), renderMarkdown(text.text));
  for (const link of drawn.flatMap((node) => [node, ...node.all("a")]).filter(({ localName }) => localName === "a")) {
    assert.match(link.getAttribute("href"), /^(https?:|data:)/i);
    if (!/^https?:/i.test(link.getAttribute("href"))) assert.notEqual(link.getAttribute("download"), null);
  }
  for (const picture of drawn.flatMap((node) => node.all("img"))) assert.match(picture.getAttribute("src") ?? picture.src ?? "data:image/", /^(https?:|data:image\/)/i);
}

test("every odd value can be shown in every field", () => {
  for (const [what, value] of Object.entries(ODD)) {
    for (const name of NAMES) {
      const item = { id: 1, subject: "One", sender: "Mei", [name]: value };
      for (const display of [{}, { title: name, subtitle: name, badge: name, image: name, date: name, unread: name }]) {
        assert.doesNotThrow(() => draw(item, display, value), `${what} as ${name}`);
      }
    }
    assert.doesNotThrow(() => draw({ id: 1, x: value }, { body: { member: "x", format: "markdown" } }, value), what);
    for (const format of FORMATS) assert.doesNotThrow(() => draw({ id: 1, x: value }, { columns: [{ member: "x", format, currency: "JPY" }] }, value), `${what} as ${format}`);
    // An item may be another value than an object.
    if (value !== null) assert.doesNotThrow(() => draw(value, {}, value), what);
  }
});

test("items with several odd fields can be shown", () => {
  const number = numbers(7);
  const one = (all) => all[number(all.length)];
  const values = Object.values(ODD).filter((value) => typeof value !== "string" || value.length < 10_000);
  for (let turn = 0; turn < 300; turn += 1) {
    const item = Object.fromEntries(Array.from({ length: 1 + number(8) }, () => [one(NAMES), one(values)]));
    const path = () => one([...NAMES, "x.a", "files.0", "x.a.a.a"]);
    const display = Object.fromEntries(["title", "subtitle", "badge", "image", "date", "unread", "id"].filter(() => number(2) === 0).map((part) => [part, path()]));
    if (number(2) === 0) display.columns = Array.from({ length: number(4) }, () => ({ member: path(), format: one(FORMATS), currency: "EUR" }));
    if (number(2) === 0) display.body = { member: path(), format: one(["text", "markdown"]) };
    assert.doesNotThrow(() => draw(item, display, one(values)), `turn ${turn}`);
  }
});

test("an item that can't be shown is replaced by an error, and other items are shown", () => {
  const broken = { id: 1, get subject() { throw new RangeError("too deep"); } };
  const { title, texts } = describe(broken);
  assert.deepEqual([title, texts[0].text], ["This item can’t be shown", "RangeError: too deep"]);
});

test("in a field for any value, Enter sends the form and Shift Enter inserts a line break", () => {
  const { element } = new Form({ schema: { properties: { label: {}, body: { type: "string" } } }, label: "Send", send: async () => null });
  const [any, text] = element.all("textarea");
  let sent = 0;
  for (const field of [any, text]) field.form = { requestSubmit: () => (sent += 1) };
  const press = (field, keys) => {
    const event = Object.assign(new Event("keydown", { cancelable: true }), { key: "Enter", shiftKey: false, isComposing: false, ...keys });
    field.dispatchEvent(event);
    return [sent, event.defaultPrevented];
  };
  assert.deepEqual(press(any, { shiftKey: true }), [0, false]);
  assert.deepEqual(press(any, { isComposing: true }), [0, false]);
  assert.deepEqual(press(any, { key: "a" }), [0, false]);
  assert.deepEqual(press(any), [1, true]);
  assert.deepEqual(press(text), [1, false], "a long text has lines");
});

test("remote pictures are loaded on request, wherever an item has them", () => {
  const [here, data, elsewhere] = ["https://page.example/a.png", "data:image/png;base64,AA==", "https://page.example.org/a.png"];
  const display = { title: "name", image: "avatar", columns: [{ member: "photo", format: "image" }] };
  const sources = (element) => element.all("img").map((picture) => picture.src ?? picture.getAttribute("src"));
  const button = (article) => article.childNodes.find((node) => node.localName === "button");
  for (const [address, loaded] of [[here, true], [data, true], [elsewhere, false], ["HTTP://example.org/a.png", false]]) {
    const item = { id: 1, name: "Mei", avatar: address, photo: address };
    const row = new Row(display);
    row.show(0, item, { id: "r", count: 1, active: false, opened: false, marked: false, place: 0 });
    assert.deepEqual(sources(row.element), loaded ? [address] : [], address);
    const article = renderArticle(item, display);
    assert.deepEqual(sources(article), loaded ? [address, address] : [null, null], address);
    assert.equal(button(article)?.textContent, loaded ? undefined : "Show 2 remote pictures");
    if (loaded) continue;
    Element.prototype.focus = () => {};
    button(article).dispatchEvent(new Event("click"));
    assert.deepEqual(sources(article), [address, address]);
  }
  const value = renderValue({ photo: elsewhere, list: [elsewhere], table: [{ photo: elsewhere }] });
  assert.deepEqual(sources(value), []);
});
