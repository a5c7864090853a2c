// Undo: every sequence of up to four events is compared with a simple model of the listed items and the actions that can be undone.
import assert from "node:assert/strict";
import test from "node:test";
import { isUndoKey } from "../src/ui/keyboard.js";
import { install } from "./elements.js";

install();
Object.assign(globalThis, { addEventListener() {}, navigator: {} });
const { ItemActions } = await import("../src/actions/item-actions.js");
const { keysOf } = await import("../src/dialogs/command-palette.js");
const { actionsOf } = await import("../src/actions/action.js");
const { ArrivalNotifications } = await import("../src/list/arrival-notifications.js");
const { Undo } = await import("../src/shell/undo.js");

/** The page's timers. */
const clock = { waiting: new Map(), last: 0 };
globalThis.setTimeout = (call) => (clock.waiting.set(++clock.last, call), clock.last);
globalThis.clearTimeout = (number) => clock.waiting.delete(number);
function endTimers() {
  for (const [number, call] of clock.waiting) if (clock.waiting.delete(number)) call();
}

const ALL = ["a", "b", "c", "d"];

/** A fake view of the server: a list that defers removals, and makes single changes at once. */
class View {
  isOpen = true;
  items = ALL.map((id) => ({ id, unread: true }));
  held = [];
  current = { undoable: null };
  calls = [];

  send() {}
  async call(input, { id, item }) {
    this.calls.push(input);
    if (input === "change" && item) this.items = this.items.map((other) => (other.id === item.id ? item : other));
    if (input === "remove") this.held.push({ id, before: this.items });
    if (input === "remove") this.items = this.items.filter((other) => other.id !== id);
    if (input === "undo" && this.held.length > 0) {
      const { id, before } = this.held.pop();
      const place = before.findIndex((item) => item.id === id);
      this.items = [...this.items.slice(0, place), before[place], ...this.items.slice(place)];
    }
    this.report();
    return "finished";
  }
  /** Ends the undo time of the removals. */
  settle() {
    this.held = [];
    this.report();
  }
  report() {
    const newest = this.held.at(-1);
    this.current = { ...this.current, undoable: newest ? { count: 1, input: "remove", ids: [newest.id], milliseconds: 5000 } : null };
  }
}

/** The parts of the page that undo uses. Only drawing is replaced. */
class Page {
  view = new View();
  undo = new Undo();
  complaints = [];

  constructor() {
    const input = (name, parameter) => [name, { name, params: { properties: { [parameter]: {} } } }];
    this.info = { inputs: new Map([input("remove", "id"), input("change", "item"), input("undo", "none")]), outputs: new Map([["undoable", {}]]), display: {} };
    this.actions = [
      { input: "remove", name: "Archive", key: "e", undo: true, for: "many" },
      { input: "change", name: "Read", key: "R", set: { unread: false }, undo: true },
    ];
    const page = { undo: this.undo, showError: (...what) => this.complaints.push(what), remindOffline() {}, rememberPosition() {} };
    this.page = page;
    this.rows = { items: [], index: 0, draw() {}, scroll: { top: 0 }, scrollTo() {}, get active() { return this.items[this.index]; } };
    this.itemActions = new ItemActions(this);
    this.draw();
  }
  get items() {
    return this.view.items;
  }
  idOf({ id }) {
    return id;
  }
  hasInput(input) {
    return this.info.inputs.has(input);
  }
  pendingState() {}
  async send(input, params = {}) {
    return { outcome: await this.view.call(input, params) };
  }
  draw() {
    if (!this.itemActions) return;
    this.rows.items = this.items;
    this.rows.index = Math.max(0, Math.min(this.rows.index, this.items.length - 1));
    this.itemActions.sent.update();
  }
  get toast() {
    return this.undo.element.textContent.replace(/Undo$/, "");
  }
}

/** Waits until the server has answered. */
async function settled(page) {
  for (let turn = 0; turn < 30; turn += 1) await null;
  page.draw();
}

/** What the user expects: the items, and the actions that can be undone, newest last. */
class Model {
  items = ALL.map((id) => ({ id, unread: true }));
  index = 0;
  marked = [];
  actions = [];

  archive() {
    const ids = this.marked.length > 0 ? this.items.map(({ id }) => id).filter((id) => this.marked.includes(id)) : this.items.slice(this.index, this.index + 1).map(({ id }) => id);
    if (ids.length === 0) return;
    const places = ids.map((id) => [this.items.findIndex((item) => item.id === id), this.items.find((item) => item.id === id)]);
    const { marked } = this;
    const undo = () => {
      for (const [place, item] of places) this.items.splice(place, 0, item);
      this.marked = [...new Set([...marked, ...this.marked])];
    };
    this.actions.push({ isServers: true, text: `Archive: ${ids.length === 1 ? `“${ids[0]}”` : `${ids.length} items`}`, undo });
    this.items = this.items.filter(({ id }) => !ids.includes(id));
    this.marked = [];
    this.index = Math.max(0, Math.min(this.index, this.items.length - 1));
  }
  read() {
    const before = this.items[this.index];
    if (!before) return;
    const { marked } = this;
    const set = (item) => (this.items = this.items.map((other) => (other.id === item.id ? item : other)));
    set({ ...before, unread: false });
    this.marked = [];
    const undo = () => (set(before), (this.marked = [...new Set([...marked, ...this.marked])]));
    this.actions.push({ text: `Read: “${before.id}”`, undo });
  }
  down() {
    this.index = Math.max(0, Math.min(this.index + 1, this.items.length - 1));
  }
  mark() {
    const id = this.items[this.index]?.id;
    if (id === undefined) return;
    this.marked = this.marked.includes(id) ? this.marked.filter((other) => other !== id) : [...this.marked, id];
  }
  undo() {
    this.actions.pop()?.undo();
  }
  end(isServers) {
    this.actions = this.actions.filter((action) => Boolean(action.isServers) !== isServers);
  }
}

const EVENTS = {
  archive: (page, model) => (page.itemActions.handleKey("e"), model.archive()),
  read: (page, model) => (page.itemActions.handleKey("R"), model.read()),
  undo: (page, model) => (page.undo.undo(), model.undo()),
  down: (page, model) => ((page.rows.index = Math.max(0, Math.min(page.rows.index + 1, page.rows.items.length - 1))), model.down()),
  mark: (page, model) => (page.rows.active && page.itemActions.rowListener.onMark([page.rows.active], true), model.mark()),
  "the server's time ends": (page, model) => (page.view.settle(), model.end(true)),
  "the page's time ends": (_, model) => (endTimers(), model.end(false)),
};

/** Yields every sequence of up to a number of events. */
function* orders(length, before = []) {
  yield before;
  if (length > 0) for (const event of Object.keys(EVENTS)) yield* orders(length - 1, [...before, event]);
}

test("the newest action is undone first, whether the server or the page measures its undo time", async () => {
  for (const order of orders(4)) {
    clock.waiting.clear();
    const [page, model] = [new Page(), new Model()];
    for (const event of order) {
      EVENTS[event](page, model);
      await settled(page);
    }
    const seen = { items: page.items, toast: page.toast, marked: page.itemActions.marks.keys.length };
    const expected = { items: model.items, toast: model.actions.at(-1)?.text ?? "", marked: model.marked.length };
    if (JSON.stringify(seen) !== JSON.stringify(expected)) assert.deepEqual(seen, expected, order.join(", "));
    assert.deepEqual(page.complaints, []);
  }
});

test("an edit of another frontend is described by its input and count", () => {
  const page = new Page();
  const texts = [
    [{ count: 1, input: "remove", ids: ["a"] }, "Removed 1 item"],
    [{ count: 3, input: "change", ids: ["a", "b", "c"] }, "Changed 3 items"],
    [{ count: null, input: "remove", all: true, except: ["a"] }, "Removed all items"],
  ];
  for (const [undoable, text] of texts) {
    page.view.current = { undoable };
    page.draw();
    assert.equal(page.toast, text);
  }
  page.view.current = { undoable: null };
  page.draw();
  assert.equal(page.toast, "");
});

test("a state of another shape offers no undo", () => {
  const page = new Page();
  for (const undoable of [true, 3, "remove", [], {}]) {
    page.view.current = { undoable };
    page.draw();
    assert.equal(page.toast, "");
  }
});

test("an edit with odd ids or an odd count is still offered", () => {
  const page = new Page();
  const edits = [
    ...[3, "a", null, {}, undefined].map((ids) => ({ count: 1, input: "remove", ids })),
    { count: 1, input: "remove", all: true, except: 3 },
    { count: 1, input: "remove", ids: [null, {}] },
  ];
  for (const undoable of edits) {
    page.view.current = { undoable };
    page.draw();
    assert.equal(page.toast, "Removed 1 item");
    new ArrivalNotifications({ view: page.view, items: page.items, info: page.info, criteria: {} }).update(false);
  }
  for (const count of ["many", undefined, {}, NaN]) {
    page.view.current = { undoable: { count, input: "change", ids: ["a"] } };
    page.draw();
    assert.equal(page.toast, "Changed all items");
  }
});

test("an edit without ids isn't taken for an action of the page", async () => {
  const page = new Page();
  page.itemActions.rowListener.onMark([page.items[0], page.items[1]], false);
  page.itemActions.handleKey("e");
  await settled(page);
  for (const edit of [{ ids: [] }, {}, { all: true, except: [] }]) {
    page.view.current = { undoable: { count: 1, input: "remove", ...edit } };
    page.draw();
    assert.equal(page.toast, "Removed 1 item");
  }
});

test("an undo before the server's answer undoes the newest action", async () => {
  const page = new Page();
  page.itemActions.handleKey("R");
  await settled(page);
  page.itemActions.handleKey("e");
  page.undo.undo();
  await settled(page);
  assert.deepEqual(page.items, [{ id: "a", unread: false }, ...ALL.slice(1).map((id) => ({ id, unread: true }))]);
  assert.equal(page.toast, "Read: “a”");
});

test("a removal whose state comes after its answer can be undone", async () => {
  const page = new Page();
  const { report } = page.view;
  page.view.report = () => {};
  page.itemActions.handleKey("e");
  await settled(page);
  page.view.report = report;
  page.view.report();
  page.draw();
  assert.equal(page.toast, "Archive: “a”");
  page.undo.undo();
  await settled(page);
  assert.deepEqual([page.items.length, page.toast], [4, ""]);
});

test("undoing a change keeps what else has changed in the item", async () => {
  const page = new Page();
  page.itemActions.handleKey("R");
  await settled(page);
  page.view.items = page.view.items.map((item) => (item.id === "a" ? { ...item, starred: true } : item));
  page.undo.undo();
  await settled(page);
  assert.deepEqual(page.items[0], { id: "a", unread: true, starred: true });
});

test("undoing a change removes a field that the item didn't have", async () => {
  const page = new Page();
  page.view.items = [{ id: "a" }];
  page.draw();
  page.itemActions.handleKey("R");
  await settled(page);
  assert.deepEqual(page.items, [{ id: "a", unread: false }]);
  page.undo.undo();
  await settled(page);
  assert.deepEqual(page.items, [{ id: "a" }]);
});

test("a refused change is not blamed on an earlier action that succeeded", async () => {
  const page = new Page();
  page.actions[1].for = "many";
  const { sent } = page.itemActions;
  const marks = { count: 1, all: false, ids: ["a"] };
  await sent.send({ action: page.actions[1], items: [page.items[0]], params: {}, marks, restore() {} });
  const error = { trigger: "change", message: "locked" };
  assert.ok(sent.reportRefusal(error), "its item is as before");
  page.view.items = page.view.items.map((item) => (item.id === "a" ? { ...item, unread: false } : item));
  page.complaints = [];
  assert.equal(sent.reportRefusal(error), undefined);
  assert.deepEqual(page.complaints, []);
});

test("an error of any kind ends the action and is shown", async () => {
  const page = new Page();
  page.view.call = () => Promise.reject(new RangeError("too deep"));
  page.itemActions.handleKey("e");
  await settled(page);
  assert.deepEqual([page.itemActions.sent.isSending("remove"), page.complaints[0]?.[0]], [false, "“a” was restored: too deep"]);
});

test("the page asks before a removal unless the view has the input undo and the state undoable", () => {
  const inputs = (...names) => new Map(names.map((name) => [name, { name, params: {} }]));
  const asks = (...given) => actionsOf(...given)[0].confirm !== "";
  const undoable = new Map([["undoable", {}]]);
  const needy = new Map([...inputs("remove"), ["undo", { name: "undo", params: { properties: { id: {} }, required: ["id"] } }]]);
  assert.equal(asks({ inputs: inputs("remove", "undo"), outputs: undoable, display: {} }, ["remove"]), false);
  assert.equal(asks({ inputs: inputs("remove", "undo"), outputs: new Map(), display: {} }, ["remove"]), true);
  assert.equal(asks({ inputs: inputs("remove"), outputs: undoable, display: {} }, ["remove"]), true);
  assert.equal(asks({ inputs: needy, outputs: undoable, display: {} }, ["remove"]), true);
});

test("an edit that the page can't undo is not offered", () => {
  const page = new Page();
  page.view.current = { undoable: { count: 1, input: "remove", ids: ["a"] } };
  page.info.inputs.delete("undo");
  page.draw();
  assert.equal(page.toast, "");
});

test("two fast undos undo the two newest actions, whether the server or the page measures their undo time", async () => {
  const page = new Page();
  page.itemActions.handleKey("e");
  await settled(page);
  page.itemActions.handleKey("R");
  await settled(page);
  page.rows.index = 1;
  page.itemActions.handleKey("e");
  page.undo.undo();
  page.undo.undo();
  await settled(page);
  assert.deepEqual(page.items, ALL.slice(1).map((id) => ({ id, unread: true })));
  assert.equal(page.toast, "Archive: “a”");
});

test("a removal that the server makes at once leaves the older action to undo", async () => {
  const page = new Page();
  page.itemActions.handleKey("R");
  await settled(page);
  page.view.report = () => {};
  page.rows.index = 1;
  page.itemActions.handleKey("e");
  await settled(page);
  assert.equal(page.toast, "Read: “a”");
  page.undo.undo();
  await settled(page);
  assert.deepEqual(page.items, ["a", "c", "d"].map((id) => ({ id, unread: true })));
});

test("an undo doesn't wait for the server's answer if the edit is reported before", async () => {
  const page = new Page();
  const { call } = View.prototype;
  page.view.call = function (input, params) {
    const outcome = call.call(this, input, params);
    return input === "remove" ? new Promise(() => {}) : outcome;
  };
  page.itemActions.handleKey("e");
  await settled(page);
  assert.equal(page.toast, "Archive: “a”");
  page.undo.undo();
  await settled(page);
  assert.deepEqual([page.items.length, page.toast], [4, ""]);
});

test("an undo that fails can be repeated, and doesn't block others", async () => {
  const page = new Page();
  page.itemActions.handleKey("e");
  await settled(page);
  const { send } = page;
  page.send = async () => null;
  page.undo.undo();
  await settled(page);
  page.send = async () => {
    throw new RangeError("too deep");
  };
  page.undo.undo();
  await settled(page);
  assert.equal(page.toast, "Archive: “a”");
  page.send = send;
  page.undo.undo();
  await settled(page);
  assert.deepEqual([page.items.length, page.toast], [4, ""]);
});

test("an edit of another frontend isn't taken for a change that the page has sent at once", async () => {
  const page = new Page();
  page.itemActions.handleKey("R");
  await settled(page);
  page.view.current = { undoable: { count: 1, input: "change", ids: ["a"] } };
  page.draw();
  assert.equal(page.toast, "Changed 1 item");
  page.view.current = { undoable: null };
  page.draw();
  assert.equal(page.toast, "Read: “a”");
});

test("a failure without a message ends the action and is shown", async () => {
  for (const call of [() => Promise.reject(new Error("")), () => Promise.resolve("failed")]) {
    const page = new Page();
    page.failure = { message: "" };
    page.view.call = call;
    page.itemActions.handleKey("e");
    await settled(page);
    assert.match(page.complaints[0]?.[0], /^“a” was restored: ./);
  }
});

test("marks of another shape are ignored", () => {
  const page = new Page();
  page.info.inputs.set("mark", { name: "mark", params: {} });
  for (const marks of [null, true, 3, [], {}, { count: 1 }, { count: 1, all: false, ids: "a" }]) {
    page.view.current = { marks };
    page.itemActions.marks.update();
    assert.deepEqual([page.itemActions.marks.size, page.itemActions.marks.has(page.items[0])], [0, false]);
  }
});

test("a view that is closed offers no undo any more", async () => {
  const page = new Page();
  page.itemActions.handleKey("e");
  page.itemActions.handleKey("R");
  await settled(page);
  page.view.isOpen = false;
  page.itemActions.sent.end();
  page.draw();
  assert.equal(page.toast, "");
});

test("the page sends undo exactly once for each removal of an action", async () => {
  const page = new Page();
  page.itemActions.handleKey("e");
  await settled(page);
  page.itemActions.rowListener.onMark([page.items[0], page.items[1]], false);
  page.itemActions.handleKey("e");
  await settled(page);
  assert.equal(page.toast, "Archive: 2 items");
  page.undo.undo();
  await settled(page);
  assert.deepEqual(page.view.calls, ["remove", "remove", "remove", "undo", "undo"]);
  assert.equal(page.toast, "Archive: “a”");
});

test("a removal that is refused later can be tried again", async () => {
  const page = new Page();
  page.itemActions.handleKey("e");
  await settled(page);
  const { sent } = page.itemActions;
  const error = { trigger: "remove", message: "locked" };
  assert.equal(sent.reportRefusal(error), undefined, "it is held back still");
  await page.view.call("undo", {});
  assert.ok(sent.reportRefusal(error));
  const [text, remedy, again] = page.complaints[0];
  assert.deepEqual([text, remedy], ["“a” was restored: locked", "Try again"]);
  again();
  await settled(page);
  assert.equal(page.toast, "Archive: “a”");
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
