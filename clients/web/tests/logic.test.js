import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { filled } from "../src/actions.js";
import { hashOf, parseHash } from "../src/address.js";
import { backoff } from "../src/backoff.js";
import { screensOf } from "../src/discovery.js";
import { amountOf, formatted } from "../src/format.js";
import { Pan, resisted, settle, WheelSwipe } from "../src/gestures.js";
import { placesIn, shiftOf } from "../src/moves.js";
import { MOST_PIXELS, reveal, windowOf } from "../src/window.js";
import { asRead, brief, describe, humane, identity, inLine, languageOf, nounOf, text } from "../src/words.js";

const HERE = fileURLToPath(new URL("../", import.meta.url));

test("only rows in sight are drawn, and a few more", () => {
  const list = { height: 800, row: 80, count: 1000, spare: 2 };
  assert.deepEqual(windowOf({ ...list, top: 0 }), { extent: 80_000, start: 0, end: 10, first: 0, last: 12, shift: 0 });
  assert.deepEqual(windowOf({ ...list, top: 4040 }), { extent: 80_000, start: 50, end: 61, first: 48, last: 63, shift: 0 });
  assert.deepEqual(windowOf({ ...list, top: 79_200 }), { extent: 80_000, start: 990, end: 1000, first: 988, last: 1000, shift: 0 });
  assert.deepEqual(windowOf({ ...list, top: 0, count: 3 }), { extent: 240, start: 0, end: 3, first: 0, last: 3, shift: 0 });
  assert.deepEqual(windowOf({ ...list, top: 0, count: 0 }), { extent: 0, start: 0, end: 0, first: 0, last: 0, shift: 0 });
});

test("a list that is pulled beyond its ends is at its ends", () => {
  const list = { height: 800, row: 80, count: 100 };
  assert.equal(windowOf({ ...list, top: -70 }).start, 0);
  assert.equal(windowOf({ ...list, top: 9000 }).end, 100);
});

test("in a list that is higher than a browser's highest element every row can be scrolled to", () => {
  const list = { height: 800, row: 80, count: 1_000_000 };
  const last = windowOf({ ...list, top: MOST_PIXELS - 800 });
  assert.deepEqual([last.extent, last.start, last.end], [MOST_PIXELS, 999_990, 1_000_000]);
  // The last row stands at the end of what is scrolled.
  assert.equal(999_999 * 80 + last.shift, MOST_PIXELS - 80);
  for (const index of [0, 1, 123_456, 999_999]) {
    for (const top of [0, MOST_PIXELS - 800]) {
      const { start, end } = windowOf({ ...list, top: reveal(index, { ...list, top }) });
      assert.ok(start <= index && index < end, `${index} from ${top}: ${start} to ${end}`);
    }
  }
});

test("a row is shown by scrolling no further than needed", () => {
  const list = { height: 800, row: 80, count: 1000, top: 400 };
  assert.equal(reveal(7, list), 400);
  assert.equal(reveal(2, list), 160);
  assert.equal(reveal(15, list), 480);
});

test("rows are found in another list, however they got there", () => {
  const rows = (...ids) => ids.map((id) => ({ id }));
  const before = rows("a", "b", "c", "d", "e");
  const [a, b, c, d, e] = before;
  const places = (after) => before.map((_, index) => placesIn(before, after)(index));
  assert.deepEqual(places(before), [0, 1, 2, 3, 4]);
  assert.deepEqual(places([{ id: "x" }, a, b, c, d, e]), [1, 2, 3, 4, 5]);
  assert.deepEqual(places([a, c, d, e]), [0, null, 1, 2, 3]);
  assert.deepEqual(places([a, d, b, c, e, { id: "f" }]), [0, 2, 3, 1, 4]);
  assert.deepEqual(places([a, { id: "b", read: true }, c, d, e]), [0, 1, 2, 3, 4]);
  assert.deepEqual(places(rows("e", "d", "c", "b", "a")), [4, 3, 2, 1, 0]);
  assert.deepEqual(places([]), [null, null, null, null, null]);
  assert.deepEqual([placesIn(before, [])(5), placesIn([], before)(0)], [null, null]);
  // Ids that only look alike are others.
  assert.equal(placesIn(rows(1), rows("1"))(0), null);
});

test("a list goes as far as most of its rows, and not after one that was moved by itself", () => {
  const places = (...found) => (index) => found[index];
  assert.equal(shiftOf(places(2, 3, 4), 0, 3), 2);
  assert.equal(shiftOf(places(0, 3, 4), 0, 3), 2);
  assert.equal(shiftOf(places(null, 0, 1), 0, 3), -1);
  assert.equal(shiftOf(places(null, null), 0, 2), 0);
});

test("a finger goes sideways or up and down, once it has gone far enough", () => {
  const across = new Pan(100, 100, 0);
  across.move(104, 101, 10);
  assert.equal(across.axis, null);
  across.move(112, 104, 20);
  across.move(112, 300, 30);
  assert.deepEqual([across.axis, across.dx, across.dy], ["x", 12, 200]);
  const down = new Pan(100, 100, 0);
  down.move(105, 120, 10);
  assert.equal(down.axis, "y");
});

test("a finger is as fast as it was at last, and one that rests isn't", () => {
  const pan = new Pan(300, 0, 0);
  for (let time = 10; time <= 200; time += 10) pan.move(300 - time, 0, time);
  assert.equal(pan.speed(200), -1);
  assert.equal(pan.speed(400), 0);
});

test("a page that is let go comes to rest where it was dragged or flicked to", () => {
  assert.equal(settle(-60, -0.8, 400), 1);
  assert.equal(settle(60, 0.8, 400), -1);
  assert.equal(settle(-230, 0, 400), 1);
  assert.equal(settle(150, 0, 400), 0);
  assert.equal(settle(-300, 0.8, 400), 0, "a flick back");
});

test("what is pulled beyond its end gives way less and less", () => {
  const way = [50, 100, 1000, 1e9].map((distance) => resisted(distance, 100));
  assert.ok(way.every((distance, place) => distance > (way[place - 1] ?? 0) && distance <= 100), String(way));
  assert.equal(resisted(-50, 100), -resisted(50, 100));
});

test("a trackpad swipes once, however long it runs on, and again when fingers push again", () => {
  const wheel = new WheelSwipe();
  const turns = (deltas, start) => deltas.map((delta, place) => wheel.turn(delta, start + place * 16, 900));
  assert.deepEqual(turns([60, 60, 60, 50, 40, 20, 10, 5, 2], 0), [0, 0, 1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(turns([90, 90, 30], 160), [0, 1, 0], "a push that is stronger than what ran down");
  assert.deepEqual(turns([-90, -90], 1000), [0, -1], "after a rest");
  wheel.rest();
  assert.deepEqual([turns([30], 1100), wheel.offset], [[0], -30]);
});

test("tries to connect are further and further apart, and never quite at the same time", () => {
  const waits = (random) => {
    const generator = backoff({ first: 100, most: 1000, random: () => random });
    return Array.from({ length: 6 }, () => generator.next().value);
  };
  assert.deepEqual(waits(0), [100, 200, 400, 800, 1000, 1000]);
  assert.deepEqual(waits(0.5), [75, 150, 300, 600, 750, 750]);
});

test("an address names a screen and an item, whatever they are called", () => {
  for (const [screen, id] of [["items", "m001"], ["a/b c", "1/2#%"], ["検索", "é"]]) {
    assert.deepEqual(parseHash(hashOf(screen, id)), { screen, id });
    assert.deepEqual(parseHash(hashOf(screen)), { screen, id: null });
  }
  const looked = { query: "お茶 & tea?", filters: { label: "bug", at: { from: 1 } } };
  assert.deepEqual(parseHash(hashOf("items", 7, looked)), { screen: "items", id: "7", ...looked });
  assert.deepEqual(parseHash(hashOf("items", null, { query: "", filters: {} })), { screen: "items", id: null });
  assert.deepEqual(parseHash("#/items?filters=[1"), { screen: "items", id: null });
  assert.deepEqual(parseHash(""), { screen: "", id: null });
  assert.deepEqual(parseHash("#/%zz/%"), { screen: "%zz", id: "%" });
});

test("an item is described by the members that it has", () => {
  const mail = { id: "m1", subject: "Hello", sender: "Mei <mei@example.net>", date: "2026-11-20T19:11:00+09:00", body: "short", tags: ["a", "b"] };
  const described = describe(mail);
  assert.deepEqual([described.title, described.person, described.facts, described.texts], ["Hello", "Mei", [["tags", "a, b"]], [{ text: "short", format: "text" }]]);
  assert.equal(described.moment?.toISOString(), "2026-11-20T10:11:00.000Z");
  const offer = describe({ id: 7, title: "Camera", price: 12800, likes: 34, sold: false, note: "x".repeat(80) });
  assert.equal(offer.amount, new Intl.NumberFormat().format(12800));
  assert.equal(inLine(offer.facts), "likes 34 · sold no");
  assert.equal(inLine([["likesCount", "40"], ["count", "3"]]), "likes 40 · count 3");
  assert.deepEqual([describe({ messageId: "m1", size: 5 }).title, describe("curry").title, describe({}).title], ["m1", "curry", ""]);
  assert.equal(describe({ id: 1, date: "2026-99-99T99:99" }).moment, null, "what only looks like a moment is a text");
});

test("an item is described as its screen says", () => {
  const said = {
    title: "about.what", subtitle: "from", badge: "label", date: "at", unread: "fresh", hidden: ["raw"], body: { member: "text", format: "markdown" },
    columns: ["from", { member: "sum", name: "To pay", format: "money", currency: "JPY" }, { member: "size", format: "bytes" }, { member: "on", format: "boolean" }],
  };
  const item = { id: 1, about: { what: "Bill" }, from: "Mei", label: "late", at: "2026-11-20", fresh: true, raw: "x", text: "*Hi*", sum: 12800, size: 2_500_000, on: false, more: "m" };
  const { moment, ...described } = describe(item, said);
  assert.deepEqual(described, {
    ...{ title: "Bill", person: "Mei", amount: "", badge: "late", image: "", unread: true, texts: [{ text: "*Hi*", format: "markdown" }] },
    facts: [["To pay", "¥12,800", said.columns[1]], ["size", "2.5 MB", said.columns[2]], ["on", "no", said.columns[3]], ["more", "m"]],
  });
  assert.equal(moment?.getFullYear(), 2026);
  assert.deepEqual(asRead(item, said), { ...item, fresh: false });
  assert.deepEqual(asRead({ id: 1, flags: { fresh: true } }, { unread: "flags.fresh" }), { id: 1, flags: { fresh: false } });
  const duration = (value) => formatted(value, { member: "x", format: "duration" });
  assert.deepEqual([3725, 59, "long"].map(duration), ["1:02:05", "0:59", null], "what isn't in its format stays as it is");
});

test("a number is a moment where a screen says so, and what isn't there is none", () => {
  const told = (value) => describe({ id: 1, at: value }, { date: "at" }).moment?.toISOString().slice(0, 16);
  assert.deepEqual([1763600000, 1763600000000, null, "", true].map(told), ["2025-11-20T00:53", "2025-11-20T00:53", undefined, undefined, undefined]);
  assert.equal(describe({ id: 1, at: "2026-11-20" }, { date: "at" }).moment?.getDate(), 20, "a day is that day wherever one is");
  const column = { member: "at", format: "date" };
  assert.deepEqual([formatted(1763600000, column), formatted(null, column), formatted("soon", column)], [formatted(1763600000000, column), null, null]);
});

test("an item without its title is called by its id", () => {
  assert.deepEqual([null, "", "Lamp"].map((what) => describe({ id: 7, what }, { title: "what" }).title), ["7", "7", "Lamp"]);
});

test("an action takes from the item what it can, and what remains is asked for", () => {
  const input = { name: "assign", summary: "", params: { properties: { id: {}, to: {}, label: {}, note: {} } } };
  const action = { input: "assign", name: "Assign", params: { to: "{team.lead}" } };
  assert.deepEqual(filled(action, input, { id: 7, label: "bug", team: { lead: "Mei" } }), { params: { id: 7, to: "Mei", label: "bug" }, missing: ["note"] });
  const change = { name: "change", summary: "", params: { properties: { item: {} } } };
  assert.deepEqual(filled({ input: "change", name: "Read", set: { unread: false } }, change, { id: 1, unread: true }).params, { item: { id: 1, unread: false } });
});

test("what a screen is follows from what it takes and has, whatever it is called", () => {
  const nothing = { type: "object" };
  const one = { type: "object", properties: { id: { type: "string" } } };
  const list = { kind: "list", value: { type: "array" } };
  const kindOf = (inputs, outputs, screen = {}) =>
    screensOf({
      "x-screens": [{ screen: "list", viewModel: "list", inputs: Object.keys(inputs), outputs: Object.keys(outputs), params: nothing, ...screen }],
      "x-viewModels": [{
        viewModel: "list",
        inputs: Object.entries(inputs).map(([name, params]) => ({ name, params })),
        outputs: Object.entries(outputs).map(([name, output]) => ({ name, kind: "state", value: {}, ...output })),
      }],
      "x-notifications": [],
    })[0];
  assert.equal(kindOf({ reachBottom: nothing, select: one }, { items: list }).kind, "list");
  assert.equal(kindOf({ reachBottom: nothing, search: one }, { items: list, query: {} }).kind, "search");
  assert.equal(kindOf({ swipe: one }, { page: {} }).kind, "pager");
  assert.equal(kindOf({ refresh: nothing }, { offers: list, loading: {} }).kind, "feed");
  assert.equal(kindOf({ pick: one }, { people: { value: { type: "array" } }, dismiss: { kind: "event" } }).kind, "choice");
  assert.equal(kindOf({ items: nothing }, { items: {} }).kind, "other");
  assert.equal(kindOf({ reachBottom: one }, { items: list }).kind, "other");
  const { opens } = kindOf({}, {});
  assert.deepEqual([opens, kindOf({}, {}, { params: undefined }).opens, kindOf({}, {}, { params: { required: ["id"] } }).opens], [true, false, false]);
});

test("words are for people", () => {
  assert.deepEqual(["pickImage", "likes_count", "v2Name", "x"].map(humane), ["Pick image", "Likes count", "V2 name", "X"]);
  assert.deepEqual([null, true, [1, "a"], { aB: false }].map(text), ["", "yes", "1, a", "A b: no"]);
  assert.deepEqual([{ id: 1 }, { rowID: 2 }, { a: 3 }, "s", 4].map(identity), [1, 2, 3, "s", 4]);
  assert.deepEqual(["Re: 件", "議事録です", "Hello"].map(languageOf), ["", "ja", ""]);
});

test("an item tells whether it was read, in whatever words it has", () => {
  const told = (item) => [describe(item).unread, asRead(item)];
  assert.deepEqual(told({ id: 1, unread: true }), [true, { id: 1, unread: false }]);
  assert.deepEqual(told({ id: 1, read: 0 }), [true, { id: 1, read: 1 }]);
  assert.deepEqual(told({ id: 1, seen: true }), [false, null]);
  assert.deepEqual(told({ id: 1, read: "2026-11-20" }), [null, null]);
  assert.deepEqual([told("text"), told({ id: 1 })], [[null, null], [null, null]]);
  assert.deepEqual(describe({ id: 1, unread: true, size: 3 }).facts, [["size", "3"]]);
});

test("amounts and numbers of things are told in words", () => {
  const amounts = [[0], [1234567, "rows"], [999, "bytes"], [1_234_567, "bytes"], [3e12, "bytes"]].map((given) => amountOf(...given));
  assert.deepEqual(amounts, ["0", "1,234,567 rows", "999 B", "1.23 MB", "3,000 GB"]);
  const mail = { id: 1, sender: "Mei", body: "Hello" };
  assert.deepEqual([nounOf(mail, 1), nounOf(mail, 3), nounOf({ id: 1, price: 3 }, 1), nounOf(undefined, 2)], ["message", "messages", "item", "items"]);
});

test("a moment is told as shortly as can be", () => {
  const now = new Date(2026, 10, 21, 12);
  const told = (...parts) => brief(new Date(...parts), now);
  assert.match(told(2026, 10, 21, 9, 5), /5/);
  assert.ok(!told(2026, 10, 20).includes("2026"));
  assert.ok(told(2025, 10, 20).includes("2025"));
});

test("the sources are typed", () => {
  try {
    execFileSync(`${HERE}../javascript/test/typescript.js`, ["-p", "../web"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
});

test("the page needs nothing but its own files and the client library", () => {
  const files = readdirSync(`${HERE}src`, { recursive: true }).filter((name) => name.endsWith(".js"));
  const names = files.flatMap((name) => [...readFileSync(`${HERE}src/${name}`, "utf8").matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from));
  assert.deepEqual(names.filter((name) => !/^(\.\/|\.\.\/|(\.\.\/)+javascript\/src\/)[a-z/-]+\.js$/.test(name)), []);
  const page = readFileSync(`${HERE}index.html`, "utf8");
  assert.deepEqual([...page.matchAll(/(?:src|href)="(.*?)"/g)].filter(([, address]) => address.includes(":")), []);
});
