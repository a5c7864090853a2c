import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { ListWindow, parse } from "../../javascript/src/index.js";
import { parametersFor } from "../src/actions/action.js";
import { commonShift, indexMap } from "../src/list/row-moves.js";
import { MAX_PIXELS, topToReveal, visibleRows } from "../src/list/scroll-geometry.js";
import { Scroll } from "../src/list/scroll.js";
import { hashOf, parseHash } from "../src/net/address.js";
import { backoff } from "../src/net/backoff.js";
import { readScreens } from "../src/net/discovery.js";
import { dayName, isTimestamp, shortDate } from "../src/text/dates.js";
import { formatAmount, formatValue } from "../src/text/format.js";
import { asRead, describe, idOf, joinFacts, labelOf, nounOf, titleOf } from "../src/text/item-display.js";
import { humanize, textOf } from "../src/text/value.js";
import { Pan, rubberBand, swipeDirection, WheelSwipe } from "../src/ui/gestures.js";
import { languageOf } from "../src/ui/localized-text.js";

const HERE = fileURLToPath(new URL("../", import.meta.url));

test("lazily loaded modules and style sheets are kept for offline use", () => {
  const kept = readFileSync(`${HERE}worker.js`, "utf8");
  const lazy = [...readFileSync(`${HERE}src/lazy.js`, "utf8").matchAll(/import\("\.\/(.*?)"\)/g)].map(([, name]) => `src/${name}`);
  const sheets = readdirSync(`${HERE}style`).filter((name) => name.endsWith(".css")).map((name) => `style/${name}`);
  const first = readFileSync(`${HERE}style/main.css`, "utf8");
  const extra = sheets.filter((name) => name !== "style/main.css" && !first.includes(name.replace("style/", "")));
  assert.ok(lazy.length > 3 && extra.length > 1);
  for (const name of [...lazy, ...extra]) assert.ok(kept.includes(`"${name}"`), name);
});

test("attachments aren't shown as facts or texts", () => {
  const files = [{ name: "a.pdf", type: "application/pdf", size: 12, url: "https://example.org/a.pdf" }, { name: null, url: "data:,b" }];
  const item = { id: 1, title: "One", files, links: [{ url: "https://example.org/" }] };
  const { files: attached, facts, texts } = describe(item);
  assert.deepEqual(attached, files);
  assert.deepEqual([facts.map(([name]) => name), texts], [["links"], []]);
  assert.deepEqual(describe(item, { hidden: ["files"] }).files, []);
});

test("an invalid attachment doesn't prevent the others from being shown", () => {
  const files = [{ name: "a.pdf", url: "data:,a" }, { url: "data:,b" }];
  for (const wrong of [null, 7, "text", { name: "c.pdf" }, { name: "c.pdf", url: 5 }]) {
    const { files: attached, facts } = describe({ id: 1, title: "One", files: [files[0], wrong, files[1]] });
    assert.deepEqual(attached, files);
    assert.deepEqual(facts, textOf(wrong) === "" ? [] : [["files", textOf(wrong)]]);
  }
});

test("the first socket is the preconnected one, and fires the events again that were missed", async () => {
  class WebSocket extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 3;
    readyState = WebSocket.CONNECTING;
    sent = [];
    constructor(url) {
      super();
      made.push([String(url), this]);
    }
    send(text) {
      this.sent.push(text);
    }
  }
  const made = [];
  Object.assign(globalThis, { WebSocket, CloseEvent: Event, location: { href: "https://example.org/app/web/#/mails" } });
  for (const [state, events] of [["CONNECTING", []], ["OPEN", ["open"]], ["CLOSED", ["close"]]]) {
    made.length = 0;
    const { PreconnectedSocket: Socket } = await import(`../src/preconnect.js?${state}`);
    const [[url, first]] = made;
    assert.equal(url, "wss://example.org/app/nagare");
    first.readyState = WebSocket[state];
    const told = [];
    const socket = new Socket(url, []);
    for (const event of ["open", "close"]) socket.addEventListener(event, ({ type }) => told.push(type));
    await null;
    assert.deepEqual([socket === first, made.length, told], [true, 1, events]);
    assert.notEqual(new Socket(url, []), first);
  }
});

test("the first request is sent once, while the page is loading", async () => {
  for (const end of ["answer", "close"]) {
    const sockets = [];
    class WebSocket extends EventTarget {
      static OPEN = 1;
      readyState = WebSocket.OPEN;
      sent = [];
      constructor() {
        super();
        sockets.push(this);
      }
      send(text) {
        this.sent.push(JSON.parse(text));
      }
    }
    Object.assign(globalThis, { WebSocket, location: { href: "https://example.org/app/web/" } });
    const { first, PreconnectedSocket: Socket } = await import(`../src/preconnect.js?first${end}`);
    const [socket] = sockets;
    socket.dispatchEvent(new Event("open"));
    new Socket("", []);
    await null;
    assert.deepEqual(socket.sent, [{ jsonrpc: "2.0", id: "early", method: "rpc.discover", params: { members: ["x-screens", "x-viewModels", "x-notifications"] } }]);
    const say = (message) => socket.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
    say({ jsonrpc: "2.0", method: "hello" });
    if (end === "close") socket.dispatchEvent(new Event("close"));
    else say({ jsonrpc: "2.0", id: "early", result: 7 });
    assert.equal(await first.answer, end === "close" ? null : '{"jsonrpc":"2.0","id":"early","result":7}');
  }
});

test("only the visible rows and a few more are drawn", () => {
  const list = { height: 800, row: 80, count: 1000, spare: 2 };
  assert.deepEqual(visibleRows({ ...list, top: 0 }), { start: 0, end: 10, first: 0, last: 12 });
  assert.deepEqual(visibleRows({ ...list, top: 4040 }), { start: 50, end: 61, first: 48, last: 63 });
  assert.deepEqual(visibleRows({ ...list, top: 79_200 }), { start: 990, end: 1000, first: 988, last: 1000 });
  assert.deepEqual(visibleRows({ ...list, top: 0, count: 3 }), { start: 0, end: 3, first: 0, last: 3 });
  assert.deepEqual(visibleRows({ ...list, top: 0, count: 0 }), { start: 0, end: 0, first: 0, last: 0 });
});

test("a list that is pulled beyond an end shows the rows at that end", () => {
  const list = { height: 800, row: 80, count: 100 };
  assert.equal(visibleRows({ ...list, top: -70 }).start, 0);
  assert.equal(visibleRows({ ...list, top: 9000 }).end, 100);
});

/** Creates a scroller like a browser's with a list in it. It lays out at most the height that browsers lay out exactly. */
function scrolled(count) {
  const list = { style: { height: "0px" } };
  const element = {
    at: 0,
    get most() {
      return Number.parseInt(list.style.height) - 800;
    },
    get scrollTop() {
      return this.at;
    },
    set scrollTop(top) {
      this.at = Math.max(0, Math.min(top, this.most));
    },
  };
  const scroll = new Scroll(element, list);
  scroll.measure(800, 80);
  scroll.count = count;
  const turn = (distance) => {
    element.scrollTop += distance;
    scroll.follow();
  };
  return { element, list, scroll, turn };
}

test("a list that a browser can lay out is scrolled by the browser only", () => {
  const { element, scroll, turn } = scrolled(100_000);
  turn(123_456);
  assert.deepEqual([scroll.top, scroll.shift, element.at], [123_456, 0, 123_456]);
  scroll.to(7_000_000);
  scroll.apply();
  assert.deepEqual([element.at, scroll.visible.start], [7_000_000, 87_500]);
});

test("every row can be reached in a list that is higher than a browser's highest element", () => {
  const { element, list, scroll, turn } = scrolled(10_000_000);
  assert.equal(list.style.height, `${MAX_PIXELS}px`);
  for (const index of [0, 1, 123_456, 5_000_000, 9_999_999, 93_750, 9_900_000]) {
    scroll.to(Math.min(scroll.topToReveal(index), scroll.fullHeight - 800));
    scroll.apply();
    const { start, end } = scroll.visible;
    assert.ok(start <= index && index < end, `${index}: ${start} to ${end}`);
    const place = index * 80 + scroll.shift - element.at;
    assert.ok(place >= 0 && place <= 720, `${index} stands at ${place}`);
  }
  scroll.to(scroll.fullHeight - 800);
  scroll.apply();
  assert.equal(element.at, element.most);
  turn(-(2 ** 31));
  assert.equal(scroll.top, scroll.fullHeight - MAX_PIXELS);
});

test("far down, a wheel scrolls a list by exactly its distance", () => {
  const { element, scroll, turn } = scrolled(10_000_000);
  scroll.to(400_000_040);
  scroll.apply();
  let top = scroll.top;
  for (let step = 0; step < 500; step += 1) {
    const distance = (step < 300 ? 1 : -1) * 97_531;
    turn(distance);
    top += distance;
    assert.equal(scroll.top, top);
    assert.ok(element.at > 0 && element.at < element.most);
    assert.equal(scroll.visible.start * 80 + scroll.shift - element.at + (top % 80), 0);
  }
  for (let step = 0; step < 5000; step += 1) turn(-97_531);
  assert.deepEqual([scroll.top, element.at, scroll.shift], [0, 0, 0]);
  for (let step = 0; step < 9000; step += 1) turn(97_531);
  assert.deepEqual([scroll.top, element.at], [scroll.fullHeight - 800, element.most]);
});

test("rows that come or go above don't scroll the browser, and the list has its full height", () => {
  const { element, scroll, turn } = scrolled(10_000_000);
  scroll.to(400_000_000);
  scroll.apply();
  for (const rows of [3, -2, 10_000, -12_000]) {
    const before = [element.at, scroll.top];
    scroll.count = 10_000_000 + rows;
    scroll.by(rows * 80);
    scroll.apply();
    assert.deepEqual([element.at, scroll.top], [before[0], before[1] + rows * 80]);
  }
  // Also if most rows are removed at once.
  scroll.count = 400;
  scroll.apply();
  turn(0);
  assert.deepEqual([scroll.shift, scroll.top, element.at], [0, 400 * 80 - 800, 400 * 80 - 800]);
});

test("a row is revealed by scrolling as little as possible", () => {
  const list = { height: 800, row: 80, top: 400 };
  assert.equal(topToReveal(7, list), 400);
  assert.equal(topToReveal(2, list), 160);
  assert.equal(topToReveal(15, list), 480);
});

test("rows are mapped to another window on their list", () => {
  const window = (start, length, ...ids) => new ListWindow(ids.map((id) => id && { id }), start, length, true);
  const before = window(10, 100, "a", "b", null, "d", "e");
  const places = (after) => [9, 10, 11, 12, 13, 14, 15].map(indexMap(before, after));
  assert.deepEqual(places(before), [9, 10, 11, 12, 13, 14, 15]);
  assert.deepEqual(places(window(12, 100, null, "d", "e", "f", "g")), [9, 10, 11, 12, 13, 14, 15], "it was scrolled");
  assert.deepEqual(places(window(13, 103, "a", "b", null, "d", "e")), [12, 13, 14, 15, 16, 17, 18], "three came before it");
  assert.deepEqual(places(window(10, 99, "a", null, "d", "e", "f")), [8, 10, null, 11, 12, 13, 14], "one has gone");
  assert.deepEqual(places(window(10, 100, "a", "b", "c", "d", "e")), [9, 10, 11, 12, 13, 14, 15], "one was read");
  assert.deepEqual(indexMap(window(10, 100, "a", "x", "b", "c", "d"), before)(11), null, "one is new");
  const others = indexMap(before, window(0, 100, "k", "l", "m"));
  assert.deepEqual([others(0), others(10)], [0, 10]);
  assert.deepEqual(indexMap(before, [])(10), 10);
});

test("rows are mapped to another list, however they have moved", () => {
  const rows = (...ids) => ids.map((id) => ({ id }));
  const before = rows("a", "b", "c", "d", "e");
  const [a, b, c, d, e] = before;
  const places = (after) => before.map((_, index) => indexMap(before, after)(index));
  assert.deepEqual(places(before), [0, 1, 2, 3, 4]);
  assert.deepEqual(places([{ id: "x" }, a, b, c, d, e]), [1, 2, 3, 4, 5]);
  assert.deepEqual(places([a, c, d, e]), [0, null, 1, 2, 3]);
  assert.deepEqual(places([a, d, b, c, e, { id: "f" }]), [0, 2, 3, 1, 4]);
  assert.deepEqual(places([a, { id: "b", read: true }, c, d, e]), [0, 1, 2, 3, 4]);
  assert.deepEqual(places(rows("e", "d", "c", "b", "a")), [4, 3, 2, 1, 0]);
  assert.deepEqual(places([]), [null, null, null, null, null]);
  assert.deepEqual([indexMap(before, [])(5), indexMap([], before)(0)], [null, null]);
  // Ids of different types are different, even if they look the same.
  assert.equal(indexMap(rows(1), rows("1"))(0), null);
});

test("a list moves by as much as most of its rows", () => {
  const places = (...found) => (index) => found[index];
  assert.equal(commonShift(places(2, 3, 4), 0, 3), 2);
  assert.equal(commonShift(places(0, 3, 4), 0, 3), 2);
  assert.equal(commonShift(places(null, 0, 1), 0, 3), -1);
  assert.equal(commonShift(places(null, null), 0, 2), 0);
});

test("the direction of a finger is decided after a few pixels", () => {
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

test("the speed of a finger is its last one, and 0 if it rests", () => {
  const pan = new Pan(300, 0, 0);
  for (let time = 10; time <= 200; time += 10) pan.move(300 - time, 0, time);
  assert.equal(pan.speed(200), -1);
  assert.equal(pan.speed(400), 0);
});

test("a released page moves where it was dragged or flicked", () => {
  assert.equal(swipeDirection(-60, -0.8, 400), 1);
  assert.equal(swipeDirection(60, 0.8, 400), -1);
  assert.equal(swipeDirection(-230, 0, 400), 1);
  assert.equal(swipeDirection(150, 0, 400), 0);
  assert.equal(swipeDirection(-300, 0.8, 400), 0, "a flick back");
});

test("pulling beyond an end moves ever less", () => {
  const way = [50, 100, 1000, 1e9].map((distance) => rubberBand(distance, 100));
  assert.ok(way.every((distance, place) => distance > (way[place - 1] ?? 0) && distance <= 100), String(way));
  assert.equal(rubberBand(-50, 100), -rubberBand(50, 100));
});

test("a trackpad swipes once despite its momentum, and again when the fingers push again", () => {
  const wheel = new WheelSwipe();
  const turns = (deltas, start) => deltas.map((delta, place) => wheel.scrolled(delta, start + place * 16, 900));
  assert.deepEqual(turns([60, 60, 60, 50, 40, 20, 10, 5, 2], 0), [0, 0, 1, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(turns([90, 90, 30], 160), [0, 1, 0], "a push that is stronger than what ran down");
  assert.deepEqual(turns([-90, -90], 1000), [0, -1], "after a rest");
  wheel.reset();
  assert.deepEqual([turns([30], 1100), wheel.offset], [[0], -30]);
});

test("the time between attempts to connect grows and is partly random", () => {
  const waits = (random) => {
    const generator = backoff({ first: 100, most: 1000, random: () => random });
    return Array.from({ length: 6 }, () => generator.next().value);
  };
  assert.deepEqual(waits(0), [100, 200, 400, 800, 1000, 1000]);
  assert.deepEqual(waits(0.5), [75, 150, 300, 600, 750, 750]);
});

test("a URL names a screen and an item, whatever their names", () => {
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

test("an item is described by its fields", () => {
  const mail = { id: "m1", subject: "Hello", sender: "Mei <mei@example.net>", date: "2026-11-20T19:11:00+09:00", body: "short", tags: ["a", "b"] };
  const described = describe(mail);
  assert.deepEqual([described.title, described.person, described.facts, described.texts], ["Hello", "Mei", [["tags", "a, b"]], [{ text: "short", format: "text" }]]);
  assert.equal(described.date?.toISOString(), "2026-11-20T10:11:00.000Z");
  const offer = describe({ id: 7, title: "Camera", price: 12800, likes: 34, sold: false, note: "x".repeat(80) });
  assert.equal(offer.amount, new Intl.NumberFormat().format(12800));
  assert.equal(joinFacts(offer.facts), "likes 34 · sold no");
  assert.equal(joinFacts([["likesCount", "40"], ["count", "3"]]), "likes 40 · count 3");
  const money = { member: "total", format: "money", currency: "EUR" };
  const order = [["number", "1", { member: "number", align: "end" }], ["currency", "EUR", { member: "currency" }], ["picture", "https://example.org/1", { member: "picture" }], ["city", "Kyoto", { member: "city" }], ["total", "€ 12.00", money]];
  assert.equal(joinFacts(order), "€ 12.00 · Kyoto · number 1 · https://example.org/1", "what something costs is seen, and what it is in once");
  assert.deepEqual([idOf({ uid: "a", id: 7 }, { id: "uid" }), idOf({ id: 7 }, { id: "uid" }), describe({ order: 3, shopId: 1 }, { id: "order" }).facts], ["a", 7, [["shopId", "1"]]]);
  assert.deepEqual([describe({ messageId: "m1", size: 5 }).title, describe("curry").title, describe({}).title], ["m1", "curry", ""]);
  assert.equal(describe({ id: 1, date: "2026-99-99T99:99" }).date, null, "what only looks like a moment is a text");
});

test("an item is described by its screen's display", () => {
  const said = {
    title: "about.what", subtitle: "from", badge: "label", date: "at", unread: "fresh", hidden: ["raw"], body: { member: "text", format: "markdown" },
    columns: ["from", { member: "sum", name: "To pay", format: "money", currency: "JPY" }, { member: "size", format: "bytes" }, { member: "on", format: "boolean" }],
  };
  const item = { id: 1, about: { what: "Bill" }, from: "Mei", label: "late", at: "2026-11-20", fresh: true, raw: "x", text: "*Hi*", sum: 12800, size: 2_500_000, on: false, more: "m" };
  const { date, day, ...described } = describe(item, said);
  assert.deepEqual(described, {
    ...{ title: "Bill", person: "Mei", amount: "", badge: "late", files: [], image: "", unread: true, texts: [{ text: "*Hi*", format: "markdown" }] },
    facts: [["To pay", "¥12,800", said.columns[1]], ["size", "2.5 MB", said.columns[2]], ["on", "no", said.columns[3]], ["more", "m"]],
  });
  assert.deepEqual([date?.getFullYear(), day], [2026, "2026-11-20"]);
  assert.deepEqual(asRead(item, said), { ...item, fresh: false });
  assert.deepEqual(asRead({ id: 1, flags: { fresh: true } }, { unread: "flags.fresh" }), { id: 1, flags: { fresh: false } });
  const duration = (value) => formatValue(value, { member: "x", format: "duration" });
  assert.deepEqual([3725, 59, "long"].map(duration), ["1:02:05", "0:59", null], "what isn't in its format stays as it is");
});

test("a number is a date if the screen's format is a date, and a missing value isn't", () => {
  const told = (value) => describe({ id: 1, at: value }, { date: "at" }).date?.toISOString().slice(0, 16);
  assert.deepEqual([1763600000, 1763600000000, null, "", true].map(told), ["2025-11-20T00:53", "2025-11-20T00:53", undefined, undefined, undefined]);
  assert.equal(describe({ id: 1, at: "2026-11-20" }, { date: "at" }).date?.getDate(), 20, "a day is that day wherever one is");
  const column = { member: "at", format: "date" };
  assert.deepEqual([formatValue(1763600000, column), formatValue(null, column), formatValue("soon", column)], [formatValue(1763600000000, column), null, null]);
});

test("an item without a title is named by its id", () => {
  assert.deepEqual([null, "", "Lamp"].map((what) => describe({ id: 7, what }, { title: "what" }).title), ["7", "7", "Lamp"]);
});

test("the parameters of an action come from the item, and missing ones are listed", () => {
  const input = { name: "assign", summary: "", params: { properties: { id: {}, to: {}, label: {}, note: {} } } };
  const action = { input: "assign", name: "Assign", params: { to: "{team.lead}" } };
  assert.deepEqual(parametersFor(action, input, { id: 7, label: "bug", team: { lead: "Mei" } }), { params: { id: 7, to: "Mei", label: "bug" }, missing: ["note"] });
  const change = { name: "change", summary: "", params: { properties: { item: {} } } };
  assert.deepEqual(parametersFor({ input: "change", name: "Read", set: { unread: false } }, change, { id: 1, unread: true }).params, { item: { id: 1, unread: false } });
});

/** Returns the description of a screen with some inputs, states and events, as `rpc.discover` returns it. */
function screenWith({ inputs = {}, states = {}, lists = {}, events = [], configured = false }, screen = {}) {
  const described = (values, kind) => Object.entries(values).map(([name, value]) => ({ name, kind, value }));
  const outputs = [...described(lists, "list"), ...described(states, "state"), ...events.map((name) => ({ name, kind: "event", value: {} }))];
  return readScreens({
    "x-screens": [{ screen: "list", viewModel: "list", inputs: Object.keys(inputs), outputs: outputs.map(({ name }) => name), params: {}, ...screen }],
    "x-viewModels": [{ viewModel: "list", inputs: Object.entries(inputs).map(([name, params]) => ({ name, params })), outputs, configured }],
    "x-notifications": [],
  })[0];
}

for (const { about, kind, ...ports } of JSON.parse(readFileSync(new URL("../../behaviour/screen_kinds.json", import.meta.url), "utf8"))) {
  test(`the kind of a screen follows from its inputs and outputs: ${about}`, () => {
    assert.equal(screenWith(ports).kind, kind);
  });
}

test("a screen that needs a parameter isn't opened by its name", () => {
  const opensByName = [{}, { params: undefined }, { params: { required: ["id"] } }].map((screen) => screenWith({}, screen).opensByName);
  assert.deepEqual(opensByName, [true, false, false]);
});

test("values are written for people", () => {
  assert.deepEqual(["pickImage", "likes_count", "v2Name", "x"].map(humanize), ["Pick image", "Likes count", "V2 name", "X"]);
  assert.deepEqual([null, true, [1, "a"], { aB: false }].map(textOf), ["", "yes", "1, a", "A b: no"]);
  assert.deepEqual([{ id: 1 }, { rowID: 2 }, { a: 3 }, "s", 4].map(idOf), [1, 2, 3, "s", 4]);
  assert.deepEqual(["Re: 件", "議事録です", "Hello"].map(languageOf), ["", "ja", ""]);
});

test("texts of the user and the configuration aren't changed", () => {
  const written = ["PostgreSQL 17", "iOS", "A-B c", "don't", "snake_case and camelCase", "a.b", "日本 語", "C#", ""];
  const said = { title: "name", subtitle: "who", badge: "sign", columns: [{ member: "count", name: "iOS users" }] };
  for (const one of written) {
    const { title, person, badge, facts, texts } = describe({ id: 1, name: one, who: one, sign: one, extra: one, body: one }, said);
    assert.deepEqual([title, person, badge], [one || "1", one, one]);
    assert.deepEqual([facts, texts].map((parts) => parts.length), one ? [1, 1] : [0, 0]);
    if (one) assert.deepEqual([facts[0][1], texts[0].text], [one, one]);
    assert.deepEqual([describe(one).title, titleOf(one), textOf([one])], [one, one, one]);
  }
  assert.equal(joinFacts(describe({ id: 1, count: 5 }, said).facts), "iOS users 5");
  assert.deepEqual([["x"], ["iOS users", { member: "count", name: "iOS users" }], ["from.firstName", { member: "from.firstName" }]].map((given) => labelOf(...given)), ["X", "iOS users", "First name"]);
  // Names that aren't identifiers stay unchanged.
  for (const name of ["PostgreSQL 17", "A-B c", "a.b", "Größe (m²)"]) assert.equal(humanize(name), name);
  assert.equal(textOf({ "PostgreSQL 17": "iOS" }), "PostgreSQL 17: iOS");
  assert.deepEqual(["Mei <mei@example.net>", "List<Item>", "Mei <3"].map((sender) => describe({ id: 1, sender }).person), ["Mei", "List<Item>", "Mei <3"]);
  const log = "2026-11-20 10:00:00 (worker 3)";
  assert.deepEqual([isTimestamp(log), describe({ id: 1, line: log }).facts], [false, [["line", log]]], "a text that begins with a moment is a text");
  for (const moment of ["2026-11-20T10:00", "2026-11-20 10:00:00", "2026-11-20T10:00:00.5Z", "2026-11-20 10:00:00+09"]) assert.ok(isTimestamp(moment), moment);
});

test("a value that doesn't fit its column's format stays as it is", () => {
  const told = (format, ...values) => values.map((value) => formatValue(value, { member: "x", format, currency: "JPY" }));
  assert.deepEqual(told("boolean", true, 0, "no", "false", 7, []), ["yes", "no", null, null, null, null]);
  for (const format of ["number", "money", "bytes", "duration"]) {
    const values = ["12 apples", "", " ", [], {}, true, NaN, Infinity, "0x10", "9".repeat(400), parse("1e400"), parse("9".repeat(4000))];
    assert.deepEqual(told(format, ...values), values.map(() => null), format);
  }
  assert.deepEqual(told("number", 1234.5, "1234.5", 12345678901234567890n, -0.5), ["1,234.5", "1,234.5", "12,345,678,901,234,567,890", "-0.5"]);
  assert.deepEqual(told("duration", -5, 3725, "59"), ["-0:05", "1:02:05", "0:59"]);
});

test("a URL can contain any id and any filter", () => {
  const half = "😀".charAt(0);
  assert.equal(parseHash(hashOf("items", `a${half}b`)).id, "a\ufffdb");
  const filters = { size: 9007199254740993n };
  assert.deepEqual(parseHash(hashOf("items", null, { filters })).filters, filters);
});

test("whether an item was read follows from any of the known fields", () => {
  const told = (item) => [describe(item).unread, asRead(item)];
  assert.deepEqual(told({ id: 1, unread: true }), [true, { id: 1, unread: false }]);
  assert.deepEqual(told({ id: 1, read: 0 }), [true, { id: 1, read: 1 }]);
  assert.deepEqual(told({ id: 1, seen: true }), [false, null]);
  assert.deepEqual(told({ id: 1, read: "2026-11-20" }), [null, null]);
  assert.deepEqual([told("text"), told({ id: 1 })], [[null, null], [null, null]]);
  assert.deepEqual(describe({ id: 1, unread: true, size: 3 }).facts, [["size", "3"]]);
});

test("quantities are written with their units", () => {
  const amounts = [[0], [1234567, "rows"], [999, "bytes"], [1_234_567, "bytes"], [3e12, "bytes"]].map((given) => formatAmount(...given));
  assert.deepEqual(amounts, ["0", "1,234,567 rows", "999 B", "1.23 MB", "3,000 GB"]);
  const mail = { id: 1, sender: "Mei", body: "Hello" };
  assert.deepEqual([nounOf(mail, 1), nounOf(mail, 3), nounOf({ id: 1, price: 3 }, 1), nounOf(undefined, 2)], ["message", "messages", "item", "items"]);
});

test("a date is written as short as possible", () => {
  const now = new Date(2026, 10, 21, 12);
  const told = (...parts) => shortDate(new Date(...parts), now);
  assert.match(told(2026, 10, 21, 9, 5), /5/);
  assert.doesNotMatch(shortDate(new Date(2026, 10, 21), now, true), /00|12/, "a day has no time");
  assert.ok(!told(2026, 10, 20).includes("2026"));
  assert.ok(told(2025, 10, 20).includes("2025"));
  const days = [[2026, 10, 21, 23], [2026, 10, 20, 1], [2026, 10, 19, 23]].map((parts) => dayName(new Date(...parts), now));
  assert.deepEqual([days[0], days[1], ["Today", "Yesterday"].includes(days[2])], ["Today", "Yesterday", false]);
});

test("the sources are typed", () => {
  try {
    execFileSync(`${HERE}../javascript/test/typescript.js`, ["-p", "../web"], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    assert.fail(`${error.stdout}${error.stderr}`);
  }
});

test("the page uses only its own files and the client library", () => {
  const files = readdirSync(`${HERE}src`, { recursive: true }).filter((name) => name.endsWith(".js"));
  const names = files.flatMap((name) => [...readFileSync(`${HERE}src/${name}`, "utf8").matchAll(/^import .* from "(.*)";$/gm)].map(([, from]) => from));
  assert.deepEqual(names.filter((name) => !/^(\.\/|\.\.\/|(\.\.\/)+javascript\/src\/)[a-z/-]+\.js$/.test(name)), []);
  const page = readFileSync(`${HERE}index.html`, "utf8");
  assert.deepEqual([...page.matchAll(/(?:src|href)="(.*?)"/g)].filter(([, address]) => address.includes(":")), []);
});

test("a module imports only from its own folder and those before it", () => {
  const order = ["ui", "text", "net", "dialogs", "list", "actions", "item", "screens", "shell"];
  const folder = (path) => order.indexOf(path.split("/").at(-2));
  const files = readdirSync(`${HERE}src`, { recursive: true }).filter((name) => name.includes("/") && name.endsWith(".js"));
  assert.deepEqual(new Set(files.map(folder)), new Set(order.keys()));
  const upward = files.flatMap((file) =>
    [...readFileSync(`${HERE}src/${file}`, "utf8").matchAll(/^import .* from "\.\.\/(\w+\/.*)";$/gm)]
      .filter(([, from]) => !from.startsWith("..") && folder(from) >= folder(file))
      .map(([, from]) => `${file} imports ${from}`),
  );
  assert.deepEqual(upward, []);
});
