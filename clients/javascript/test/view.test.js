import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { connect } from "../src/index.js";
import { Fake, fake, SCREENS, settle } from "./support.js";

const splice = (start, deleteCount, ...items) => ({ start, deleteCount, items });

test("outputs are properties, and inputs are methods", async () => {
  const { app, server, view } = await fake();
  assert.deepEqual([view.view, view.screen, view.viewModel, view.isOpen], ["v1", "items", "list", true]);
  assert.deepEqual(view.current, { items: [], loading: false, error: null, state: { phase: "nothing" } });
  server.output("v1", "loading", { value: true });
  assert.equal(view.loading, true);
  assert.equal(view.value("loading"), true);
  const call = view.viewWillAppear();
  assert.deepEqual(server.sent.at(-1).params, { view: "v1", wait: true });
  server.answer("viewWillAppear", { result: { outcome: "finished" } });
  assert.equal(await call, "finished");
  const { viewWillAppear } = view;
  assert.equal(view.viewWillAppear, viewWillAppear, "a function is the same one each time");
  const opening = viewWillAppear.open();
  assert.deepEqual(server.sent.at(-1).params, { view: "v1" });
  server.answer("viewWillAppear", { result: {} });
  assert.equal(await opening, undefined);
  view.select.send({ id: "a" });
  assert.deepEqual(server.sent.at(-1), { jsonrpc: "2.0", method: "select", params: { id: "a", view: "v1" } });
  assert.equal(app.views.get("v1"), view);
});

test("outputs and inputs named like a view's properties are accessible by value and call", async () => {
  const { server, view } = await fake("odd");
  assert.deepEqual([view.name, view.view, view.value("view"), view.value("current"), view.current], [3, "v1", 2, 1, { current: 1, view: 2, name: 3 }]);
  assert.equal(view.then, undefined, "a view isn't a promise");
  const call = view.call("call", { x: 1 });
  assert.deepEqual(server.sent.at(-1), { jsonrpc: "2.0", id: 4, method: "call", params: { x: 1, view: "v1", wait: true } });
  server.answer("call", { result: { outcome: "nothing" } });
  assert.equal(await call, "nothing");
});

test("lists are updated by splices, and values that were read never change", async () => {
  const { server, view } = await fake();
  server.output("v1", "items", { base: 0, revision: 1, count: 3, splices: [splice(0, 0, "a", "b", "c")] });
  const first = view.items;
  assert.equal(view.items, first);
  server.output("v1", "items", { base: 1, revision: 3, count: 2, splices: [splice(0, 2), splice(1, 0, "d")] });
  assert.deepEqual([first, view.items], [["a", "b", "c"], ["c", "d"]]);
  server.output("v1", "items", { value: ["z"], revision: 4 });
  assert.deepEqual(view.items, ["z"]);
});

for (const [what, params] of Object.entries({
  "another base": { base: 7, revision: 8, count: 1, splices: [splice(0, 0, "a")] },
  "another count": { base: 0, revision: 1, count: 2, splices: [splice(0, 0, "a")] },
  "a splice past the end": { base: 0, revision: 1, count: 1, splices: [splice(1, 0, "a")] },
  "a splice of too many": { base: 0, revision: 1, count: 1, splices: [splice(0, 1, "a")] },
})) {
  test(`a list that receives ${what} requests all values, once`, async () => {
    const { server, view } = await fake();
    const heard = [];
    view.subscribe("items", (items) => heard.push(items));
    server.output("v1", "items", params);
    server.output("v1", "items", { base: 8, revision: 9, count: 9, splices: [] });
    assert.deepEqual(server.methods, ["open", "outputs"]);
    assert.deepEqual([view.items, heard], [[], []]);
    server.answer("outputs", { result: { outputs: { items: { value: ["a", "b"], revision: 9 }, loading: { value: true } } } });
    server.output("v1", "items", { base: 9, revision: 10, count: 1, splices: [splice(0, 1)] });
    assert.deepEqual([view.items, heard, view.loading], [["b"], [["a", "b"], ["b"]], true]);
    await settle();
    server.output("v1", "items", params);
    assert.deepEqual(server.methods, ["open", "outputs", "outputs"]);
  });
}

test("callbacks receive values until they unsubscribe or their signal aborts", async () => {
  const { server, view } = await fake();
  const heard = [];
  const controller = new AbortController();
  const callback = (value) => heard.push(value);
  const leave = view.subscribe("loading", callback);
  view.subscribe("loading", callback, controller);
  view.subscribe("loading", callback, { signal: AbortSignal.abort() });
  server.output("v1", "loading", { value: true });
  leave();
  server.output("v1", "loading", { value: false });
  controller.abort();
  server.output("v1", "loading", { value: true });
  assert.deepEqual(heard, [true, true, false]);
});

test("an exception of a callback is a warning, and the other callbacks are called", async (t) => {
  const { app, server, view } = await fake();
  const [heard, warnings] = [[], []];
  const print = t.mock.method(console, "error", () => {});
  const isHandled = [];
  app.addEventListener("warning", (event) => {
    warnings.push(event.error.message);
    if (isHandled.length > 0) event.preventDefault();
  });
  view.subscribe("loading", () => { throw new Error("mine"); });
  view.subscribe("loading", async () => { throw new Error("later"); });
  view.store("loading").subscribe((value) => { if (value) throw new Error("a store's"); });
  view.subscribe("loading", (value) => heard.push(value));
  server.output("v1", "loading", { value: true });
  await settle();
  assert.deepEqual([heard, warnings], [[true], ["mine", "a store's", "later"]]);
  assert.deepEqual(print.mock.calls.map(({ arguments: [error] }) => error.message), warnings);
  isHandled.push(true);
  server.output("v1", "loading", { value: false });
  await settle();
  assert.deepEqual([heard, warnings.length, print.mock.callCount()], [[true, false], 5, 3]);
});

test("values yields the current value first, and then only the newest or every value", async () => {
  const { server, view } = await fake();
  const [newest, every] = [view.values("loading"), view.values("loading", { every: true })];
  assert.deepEqual(await newest.next(), { done: false, value: false });
  const waiting = newest.next();
  for (const value of [true, false, true]) server.output("v1", "loading", { value });
  assert.deepEqual([await waiting, await newest.next()].map(({ value }) => value), [true, true]);
  const all = [];
  for await (const value of every) if (all.push(value) === 4) break;
  assert.deepEqual(all, [false, true, false, true]);
  assert.deepEqual(await every.next(), { done: true, value: undefined });
});

test("all events are queued until they are read, and end with the view", async () => {
  const { server, view } = await fake();
  const opened = view.values("navigate");
  const open = (name) => server.output("v1", "navigate", { value: { view: name, screen: "detail", outputs: { page: { value: { id: name } } } } });
  open("x");
  open("y");
  server.output("v1", "closed", { value: {} });
  const pages = [];
  for await (const { page, view } of opened) pages.push([view, page.id]);
  assert.deepEqual(pages, [["x", "x"], ["y", "y"]]);
  assert.equal(view.isOpen, false);
  await assert.rejects(view.select({ id: "a" }), { name: "NoSuchViewError", message: "The view v1 was closed." });
  await assert.rejects(view.until("navigate"), { name: "NoSuchViewError" });
  await assert.rejects(view.close(), { code: -32001, data: { views: ["x", "y"] } });
  assert.deepEqual(server.methods, ["open"]);
});

test("the error for an unknown output lists the screen's outputs", async () => {
  const { view } = await fake();
  const told = { name: "TypeError", message: "items has no output itms: its outputs are items, loading, error, state, navigate, closed." };
  await assert.rejects(view.until("itms", () => true), told);
  for (const ask of [() => view.subscribe("itms", () => {}), () => view.values("itms"), () => view.store("itms")]) assert.throws(ask, told);
  const form = { name: "TypeError", message: 'The name of an output comes first: until("items", (items) => items.length > 0).' };
  await assert.rejects(view.until((items) => items.length > 0), form);
  assert.throws(() => view.subscribe(() => {}), form);
  for (const output of ["items", "navigate", "closed"]) view.subscribe(output, () => {})();
  assert.equal(view.store(), view.store());
});

test("names of outputs aren't checked before the screens are known", async () => {
  const server = new Fake();
  server.silent = true;
  const view = await (await connect(server)).open("items");
  view.subscribe("itms", () => {})();
  server.answer("screens", { result: { screens: SCREENS } });
  assert.throws(() => view.subscribe("itms", () => {}), /items has no output itms/);
});

test("a signal ends values and until", async () => {
  const { view } = await fake();
  const controller = new AbortController();
  const values = view.values("loading", controller);
  await values.next();
  const waiting = [values.next(), view.until("items", (items) => items.length > 0, controller)];
  controller.abort(new Error("enough"));
  for (const promise of waiting) await assert.rejects(promise, /enough/);
  assert.deepEqual(await values.next(), { done: true, value: undefined });
  await assert.rejects(view.until("navigate", () => true, controller), /enough/);
});

test("open doesn't return a view that an earlier sent or called input opened", async () => {
  for (const before of ["send", "call"]) {
    const { server, view } = await fake();
    const first = server.sent.length;
    const open = (name) => server.output("v1", "navigate", { value: { view: name, screen: "detail", outputs: {} } });
    if (before === "send") view.select.send({ id: "a" });
    else void view.select({ id: "a" });
    const opened = ["x", "b"].map((id) => view.select.open({ id }));
    const sent = server.sent.slice(first + 1);
    open("p1");
    for (const { id } of sent.slice(0, -1)) server.say({ id, result: {} });
    open("p2");
    server.say({ id: sent.at(-1).id, result: {} });
    assert.deepEqual((await Promise.all(opened)).map((one) => one?.view), [undefined, "p2"], before);
  }
});

test("open returns the view that its input opened while a call waits", async () => {
  const { app, server, view } = await fake();
  const waiting = view.viewWillAppear();
  const calls = [view.viewWillAppear.open(), view.select.open({ id: "a" }), view.select.open({ id: "b" })];
  const ids = server.sent.slice(-3).map(({ id }) => id);
  server.answer("ping", { result: {} });
  server.say({ id: ids[0], result: {} });
  for (const [index, name] of [[1, "x"], [2, "y"]]) {
    server.output("v1", "navigate", { value: { view: name, screen: "detail", outputs: { page: { value: name } } } });
    server.output(name, "page", { value: `${name}!` });
    server.say({ id: ids[index], result: {} });
  }
  assert.deepEqual((await Promise.all(calls)).map((opened) => opened?.page), [undefined, "x!", "y!"]);
  server.say({ id: ids[0] - 2, result: { outcome: "dropped" } });
  assert.equal(await waiting, "dropped");
  assert.equal(app.views.get("x").viewModel, "pager");
});

test("the end of the session doesn't reject calls that aren't awaited", async (t) => {
  const unhandled = [];
  const note = (error) => void unhandled.push(error.message);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));
  const { app, server, view } = await fake();
  view.viewWillAppear();
  const cancelled = view.viewWillAppear();
  server.answer("viewWillAppear", { error: { code: -32800, message: "cancelled" } });
  await assert.rejects(cancelled, { name: "CancelledError" });
  const awaited = view.select({ id: "a" });
  await app.close();
  await assert.rejects(awaited, { name: "ConnectionClosedError" });
  await settle();
  assert.deepEqual(unhandled, []);
});

for (const end of ["closed", "lost", "view", "signal"]) {
  test(`calls that aren't awaited don't crash Node: ${end}`, () => {
    const program = fileURLToPath(new URL("unawaited.js", import.meta.url));
    const { stdout, stderr } = spawnSync(process.execPath, ["--unhandled-rejections=strict", program, end], { encoding: "utf8" });
    assert.equal(stdout, "still there\n", stderr);
  });
}

test("a view can be disposed of", async () => {
  const { app, server, view } = await fake();
  await view[Symbol.asyncDispose]();
  await view[Symbol.asyncDispose]();
  assert.deepEqual(server.methods, ["open", "close"]);
  assert.equal(app.views.size, 0);
});

/** Uses a store as React's hook does: reads the value after each callback, and renders it if it differs. */
function useSyncExternalStore({ subscribe, getSnapshot }) {
  const shown = [getSnapshot()];
  assert.ok(Object.is(getSnapshot(), getSnapshot()), "a snapshot is the same until it changes");
  const unsubscribe = subscribe(() => {
    if (!Object.is(getSnapshot(), shown.at(-1))) shown.push(getSnapshot());
  });
  return { shown, unsubscribe };
}

test("a store works with useSyncExternalStore", async () => {
  const { server, view } = await fake();
  const items = useSyncExternalStore(view.store("items"));
  const all = useSyncExternalStore(view.store());
  assert.equal(view.store("items"), view.store("items"), "or React would subscribe anew each time");
  const { subscribe } = view.store("items");
  assert.equal(subscribe, view.store("items").subscribe);
  server.output("v1", "loading", { value: true });
  server.output("v1", "items", { base: 0, revision: 1, count: 1, splices: [splice(0, 0, "a")] });
  server.output("v1", "items", { base: 1, revision: 2, count: 2, splices: [splice(1, 0, "b")] });
  assert.deepEqual(items.shown, [[], ["a"], ["a", "b"]]);
  assert.deepEqual(all.shown.map(({ items, loading }) => [items.length, loading]), [[0, false], [0, true], [1, true], [2, true]]);
  assert.equal(all.shown[1].items, all.shown[0].items, "what didn't change is the same");
  assert.throws(() => { all.shown[0].items = []; }, TypeError);
  items.unsubscribe();
  all.unsubscribe();
  server.output("v1", "items", { base: 2, revision: 3, count: 0, splices: [splice(0, 2)] });
  assert.equal(items.shown.length, 3);
});

test("a store works in Svelte: it calls back at once with the value", async () => {
  const { server, view } = await fake();
  const heard = [];
  const unsubscribe = view.store("loading").subscribe((value) => heard.push(value));
  server.output("v1", "loading", { value: true });
  unsubscribe();
  server.output("v1", "loading", { value: false });
  assert.deepEqual(heard, [false, true]);
});

test("a state has the last value that was sent, which can be null", async () => {
  const { server, view } = await fake();
  const heard = [];
  view.subscribe("error", (error) => heard.push(error?.number ?? null));
  for (const number of [1, 2]) server.output("v1", "error", { value: { code: 7, number } });
  server.output("v1", "loading", { value: true });
  server.output("v1", "state", { value: { phase: "requesting" } });
  server.say({ id: 1, method: "present", params: { view: "v1", task: { kind: "alert" } } });
  assert.deepEqual(view.error, { code: 7, number: 2 });
  server.output("v1", "error", { value: null });
  assert.equal(view.error, null);
  assert.equal(await view.until("error", (error) => error === null), null);
  assert.deepEqual(heard, [1, 2, null]);
});
