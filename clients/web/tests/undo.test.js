// Undo in all small worlds: every order of up to five events, compared with a plain model of what is pending and removed.
import assert from "node:assert/strict";
import test from "node:test";
import { InvalidParamsError, ListWindow } from "../../javascript/src/index.js";
import { isUndoKey } from "../src/ui/keyboard.js";
import { install } from "./elements.js";

install();
const { ItemActions } = await import("../src/actions/item-actions.js");
const { keysOf } = await import("../src/dialogs/command-palette.js");
const { Undo } = await import("../src/shell/undo.js");

/** The timers. */
const clock = { now: 0, waiting: new Map(), last: 0 };
globalThis.setTimeout = (call, milliseconds) => (clock.waiting.set(++clock.last, { call, at: clock.now + milliseconds }), clock.last);
globalThis.clearTimeout = (number) => clock.waiting.delete(number);
function pass(milliseconds) {
  clock.now += milliseconds;
  for (const [number, { call, at }] of clock.waiting) if (at <= clock.now && clock.waiting.delete(number)) call();
}

const ALL = ["a", "b", "c", "d"];
/** The result of a search. */
const FOUND = ["a", "c"];
const UNDO_TIME = 5000;

/** The server's list. It accepts edits of listed items only, and may keep marks. */
class Source {
  isOpen = true;
  there = [...ALL];
  isSearched = false;
  marked = new Set();
  removed = [];
  changed = [];

  get listed() {
    return this.there.filter((id) => !this.isSearched || FOUND.includes(id));
  }
  get current() {
    return { marks: this.marks };
  }
  say() {
    this.marks = { count: this.marked.size, all: false, ids: [...this.marked] };
  }
  search() {
    this.isSearched = !this.isSearched;
    this.marked.clear();
  }
  send(input, { id, all }) {
    if (all) this.marked.clear();
    else if (this.listed.includes(id)) this.marked[input === "mark" ? "add" : "delete"](id);
  }
  async call(input, { id, item, marked }) {
    const ids = marked ? [...this.marked] : [id ?? item.id];
    if (!marked && !this.listed.includes(ids[0])) throw new InvalidParamsError("not listed", { code: -32602 });
    if (input === "change") this.changed.push(...ids);
    if (input !== "remove") return "finished";
    this.removed.push(...ids);
    this.there = this.there.filter((other) => !ids.includes(other));
    for (const gone of ids) this.marked.delete(gone);
    return "finished";
  }
}

/** The page as far as it concerns undo. Only drawing is replaced. */
class Page {
  view = new Source();
  undo = new Undo();
  info;
  actions;
  complaints = [];

  constructor({ unread, keepsMarks }) {
    const params = { properties: { id: {} } };
    const inputs = ["remove", "select", ...(keepsMarks ? ["mark", "unmark"] : [])].map((name) => [name, { name, params }]);
    this.info = { inputs: new Map([...inputs, ["change", { name: "change", params: { properties: { item: {} } } }]]), display: {} };
    this.actions = [
      { input: "remove", name: "Archive", key: "e", undo: true, for: "many" },
      { input: "change", name: "Mark as unread", key: unread, set: { unread: true } },
    ];
    this.page = { undo: this.undo, showError: (what) => this.complaints.push(what), remindOffline() {}, rememberPosition() {} };
    const screen = this;
    this.rows = { items: [], index: 0, draw() {}, scroll: { top: 0 }, scrollTo() {}, get active() { return this.items[this.index]; }, elementAt() {} };
    this.view.say();
    this.itemActions = new ItemActions(screen);
    this.draw();
  }
  get items() {
    return this.view.listed.map((id) => this.objects[id]);
  }
  objects = Object.fromEntries(ALL.map((id) => [id, { id }]));
  idOf({ id }) {
    return id;
  }
  hasInput(input) {
    return this.info.inputs.has(input);
  }
  async send(input, params) {
    this.view.send(input, params);
  }
  draw() {
    if (!this.itemActions) return;
    this.itemActions.pending.sendDue();
    this.rows.items = this.itemActions.pending.applyTo(this.items);
    this.rows.index = Math.max(0, Math.min(this.rows.index, this.rows.items.length - 1));
    this.itemActions.marks.update();
  }
  /** Handles a key like the screen and then the page. */
  press(key, modifiers = {}) {
    if (isUndoKey({ key, ...modifiers })) return void this.undo.undo();
    const isAction = this.itemActions.handleKey(key);
    if (!isAction && key === "u" && !this.actions.some((action) => action.key === "u")) this.undo.undo();
  }
}

/** The model of what the user expects. */
class Model {
  there = [...ALL];
  isSearched = false;
  index = 0;
  marked = new Set();
  held = [];
  removed = [];
  changed = [];
  now = 0;

  constructor({ keepsMarks }) {
    this.keepsMarks = keepsMarks;
  }
  get listed() {
    return this.there.filter((id) => !this.isSearched || FOUND.includes(id));
  }
  get shown() {
    const hidden = this.held.flatMap(({ ids }) => ids);
    return this.listed.filter((id) => !hidden.includes(id));
  }
  e() {
    const many = this.shown.filter((id) => this.marked.has(id));
    const ids = many.length > 0 ? many : this.shown.slice(this.index, this.index + 1);
    if (ids.length === 0) return;
    const isKept = this.keepsMarks && many.length > 0 && !this.held.some(({ isKept }) => isKept);
    this.held.push({ ids, at: this.now, isKept, marked: [...this.marked] });
    this.marked.clear();
  }
  unread() {
    const id = this.shown[this.index];
    if (id === undefined) return;
    this.changed.push(id);
    this.marked.clear();
  }
  undo(deed = this.held.at(-1)) {
    if (!deed) return;
    this.held = this.held.filter((other) => other !== deed);
    for (const id of deed.marked) this.marked.add(id);
  }
  down() {
    this.index = Math.min(this.index + 1, this.shown.length - 1);
  }
  mark() {
    const id = this.shown[this.index];
    if (id !== undefined && !this.marked.delete(id)) this.marked.add(id);
  }
  search() {
    for (const deed of this.held.filter(({ isKept }) => isKept).reverse()) this.undo(deed);
    for (const deed of this.held) deed.isAstray = true;
    if (this.keepsMarks) this.marked.clear();
    this.isSearched = !this.isSearched;
  }
  wait() {
    this.now += UNDO_TIME / 2;
  }
  leave() {
    for (const deed of this.held) this.#remove(deed);
  }
  settle() {
    for (const deed of this.held) {
      const isDue = deed.at + UNDO_TIME <= this.now;
      if (isDue && (!deed.isAstray || deed.ids.every((id) => this.listed.includes(id)))) this.#remove(deed);
    }
    this.index = Math.max(0, Math.min(this.index, this.shown.length - 1));
    // What isn't there any more is marked no more.
    for (const id of this.marked) if (!this.there.includes(id)) this.marked.delete(id);
  }
  #remove(deed) {
    const ids = deed.ids.filter((id) => this.listed.includes(id));
    this.held = this.held.filter((other) => other !== deed);
    this.removed.push(...ids);
    this.there = this.there.filter((id) => !ids.includes(id));
  }
}

const EVENTS = {
  e: (page, model) => (page.press("e"), model.e()),
  unread: (page, model) => (page.press(page.actions[1].key), model.unread()),
  undo: (page, model) => (page.press("z", { ctrlKey: true }), model.undo()),
  u: (page, model) => (page.press("u"), page.actions[1].key === "u" ? model.unread() : model.undo()),
  down: (page, model) => ((page.rows.index = Math.min(page.rows.index + 1, page.rows.items.length - 1)), model.down()),
  mark: (page, model) => (page.rows.active && page.itemActions.rowListener.onMark([page.rows.active], true), model.mark()),
  search: (page, model) => (page.itemActions.pending.listReloads(true), page.view.search(), model.search()),
  time: (_, model) => (pass(UNDO_TIME / 2), model.wait()),
  leave: (page, model) => (page.itemActions.pending.sendAll(), model.leave()),
};

/** Plays events and compares the end state. Shorter sequences are compared by themselves. */
async function play(events, world) {
  clock.waiting.clear();
  const [page, model] = [new Page(world), new Model(world)];
  for (const event of events) {
    EVENTS[event](page, model);
    page.view.say();
    page.draw();
    model.settle();
    // The server answers and sends its marks.
    for (let turn = 0; turn < 4; turn += 1) await null;
    page.view.say();
    page.draw();
    page.view.say();
  }
  const { removed, changed } = page.view;
  const seen = { removed, changed, shown: page.rows.items.map(({ id }) => id), isHeld: page.undo.element.hasChildNodes() };
  const expected = { removed: model.removed, changed: model.changed, shown: model.shown, isHeld: model.held.length > 0 };
  if (JSON.stringify(seen) !== JSON.stringify(expected)) assert.deepEqual(seen, expected, `${events.join(", ")} (${JSON.stringify(world)})`);
}

/** Every order of up to a number of events. Nothing follows after the page was left. */
function* orders(length, events, before = []) {
  yield before;
  if (length === 0 || before.at(-1) === "leave") return;
  for (const event of events) yield* orders(length - 1, events, [...before, event]);
}

const { undo: _, ...BY_LETTER } = EVENTS;
const { u: __, ...BY_CONTROL } = EVENTS;
for (const [name, world, events, most] of [
  ["undo has the key u", { unread: "N", keepsMarks: false }, BY_LETTER, 5],
  ["an action has the key u", { unread: "u", keepsMarks: false }, EVENTS, 3],
  ["the server keeps the marks", { unread: "N", keepsMarks: true }, BY_CONTROL, 5],
]) {
  test(`nothing but its time, and leaving the page, carries out what can be undone: ${name}`, async () => {
    for (const order of orders(most, Object.keys(events))) await play(order, world);
  });
}

test("a visible row of a window has the right index while rows above it are pending", async () => {
  clock.waiting.clear();
  const page = new Page({ unread: "N", keepsMarks: false });
  const ids = Array.from({ length: 30 }, (_, place) => `r${place}`);
  page.view.there = [...ids];
  page.objects = Object.fromEntries(ids.map((id) => [id, { id }]));
  const list = () => new ListWindow(page.view.there.slice(0, 25).map((id) => page.objects[id]), 0, page.view.there.length, true);
  const { pending } = page.itemActions;
  Object.defineProperty(page, "items", { get: list });
  const places = () => [4, 5, 9, 10, 28].map((index) => [index, pending.listIndex(index)]);
  page.draw();
  for (const id of ["r5", "r11"]) {
    pass(UNDO_TIME / 2);
    pending.add({ action: page.actions[0], items: [page.objects[id]], params: {}, restore() {} });
  }
  assert.deepEqual([page.rows.items.length, ...places()], [28, [4, 4], [5, 6], [9, 10], [10, 12], [28, 30]]);
  // The first is removed at the source: the other stands one place further up now.
  pass(UNDO_TIME / 2);
  for (let turn = 0; turn < 6; turn += 1) await null;
  page.draw();
  assert.deepEqual([page.view.removed, page.rows.items.length, ...places()], [["r5"], 28, [4, 4], [5, 5], [9, 9], [10, 11], [28, 29]]);
});

test("marks that follow an action are sent at once after it, though the server hasn't answered", async () => {
  clock.waiting.clear();
  const page = new Page({ unread: "N", keepsMarks: true });
  const [{ marks, pending }, sent] = [page.itemActions, []];
  const { send } = page.view;
  page.view.send = (input, params) => sent.push([input, params]) && send.call(page.view, input, params);
  marks.add([page.objects.a, page.objects.b]);
  for (const id of ["a", "b"]) page.view.marked.add(id);
  page.view.say();
  page.draw();
  pending.add({ action: { ...page.actions[1], undo: true }, items: [], params: {}, marks: page.view.marks, restore() {} });
  // Until the action is sent, it would apply to new marks as well.
  marks.toggle(page.objects.c);
  assert.equal(marks.size, 1);
  assert.deepEqual(sent.splice(0), [["mark", { from: "a", to: "b" }]]);
  pass(UNDO_TIME);
  marks.markAll();
  marks.toggle(page.objects.d);
  assert.deepEqual(sent, [["unmark", { all: true }], ["mark", { id: "c" }], ["mark", { all: true }], ["mark", { id: "d" }]]);
});

test("the list of keys shows the keys that work", () => {
  const action = (key) => ({ key, name: "Mark as unread", isAction: true, act() {} });
  const refresh = { key: "r", name: "Refresh", act() {} };
  const told = (...commands) => Object.fromEntries(keysOf(commands).map(([keys, what]) => [what, keys.join()]));
  assert.equal(told(refresh, action("N")).undo, "Ctrl Z,u");
  assert.deepEqual([told(refresh, action("u")).undo, told(refresh, action("u"))["Mark as unread"]], ["Ctrl Z", "u"]);
  assert.deepEqual([told(action("r")).refresh, told(action("Z")).undo], [undefined, "Ctrl Z,u"]);
});

test("Ctrl Z and ⌘ Z undo, on any keyboard", () => {
  const keys = [{ key: "z", ctrlKey: true }, { key: "z", metaKey: true }, { key: "Z", ctrlKey: true }, { key: "я", code: "KeyZ", ctrlKey: true }];
  const others = [{ key: "z" }, { key: "z", ctrlKey: true, shiftKey: true }, { key: "z", ctrlKey: true, altKey: true }, { key: "y", code: "KeyZ", ctrlKey: true }];
  assert.deepEqual([...keys, ...others].map(isUndoKey), [true, true, true, true, false, false, false, false]);
});
