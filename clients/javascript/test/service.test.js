import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { CancelledError, connect, SourceError } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { fake, settle, VIRTUAL } from "./support.js";

/** Sends a request of the server, and returns the client's answer. */
async function ask(server, method, params) {
  server.say({ id: 1, method, params });
  await settle();
  const { jsonrpc, id, ...answer } = server.sent.at(-1);
  assert.deepEqual([jsonrpc, id], ["2.0", 1]);
  return answer;
}

test("tasks are presented by kind, and the results of browser dialogs are valid answers", async () => {
  const answers = { prompt: "Mei", confirm: false, alert: undefined, choose: null };
  const present = Object.fromEntries(Object.entries(answers).map(([kind, answer]) => [kind, () => answer]));
  const { server } = await fake("items", { present });
  const outcome = (kind) => ask(server, "present", { view: "v1", task: { kind } });
  assert.deepEqual(await outcome("prompt"), { result: { outcome: "completed", value: "Mei" } });
  assert.deepEqual(await outcome("confirm"), { result: { outcome: "completed", value: false } });
  assert.deepEqual(await outcome("alert"), { result: { outcome: "completed" } });
  assert.deepEqual(await outcome("choose"), { result: { outcome: "cancelled" } });
  // `constructor` and other inherited properties aren't presenters.
  for (const kind of ["login", "constructor", "toString", "__proto__"]) assert.equal((await outcome(kind)).error.code, -32601, kind);
});

test("one function can present all tasks, and receives the view", async () => {
  const seen = [];
  const { server, view } = await fake("items", { present: async (task, context) => void seen.push([task, context.view]) });
  await ask(server, "present", { view: "v1", task: { kind: "alert", title: "Hello" } });
  assert.deepEqual(seen, [[{ kind: "alert", title: "Hello" }, view]]);
});

test("cancelling a task aborts its presenter's signal", async () => {
  let signal;
  const present = (_, context) => new Promise(() => (signal = context.signal));
  const { server } = await fake("items", { present });
  server.say({ id: 7, method: "present", params: { view: "v1", task: { kind: "alert" } } });
  server.say({ method: "$/cancelRequest", params: { id: 7 } });
  assert.ok(signal.aborted && signal.reason instanceof CancelledError);
});

test("cancelling a page request aborts the handler's signal", async () => {
  const page = (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve({ items: [] })));
  const { server } = await fake("items", { sources: { mine: page } });
  server.say({ id: 7, method: "source/page", params: { source: "mine", key: null, query: null, size: 2 } });
  server.say({ method: "$/cancelRequest", params: { id: 7 } });
  await settle();
  assert.deepEqual(server.sent.at(-1).error.code, -32800);
});

test("sources return pages and items, and make edits", async () => {
  const asked = [];
  const mine = {
    page: async (request) => (asked.push(request), { items: [{ id: "a" }], next: 2 }),
    item: async ({ id }) => (id === "a" ? { id, body: "…" } : null),
    insert: (edit) => void asked.push(edit),
    change: (edit) => void asked.push(edit),
    remove: () => { throw new SourceError("locked", { code: 9, retryable: true }); },
  };
  const { app, server } = await fake("items", { sources: { mine, plain: () => ({ items: [] }) } });
  const warnings = [];
  app.addEventListener("warning", ({ error }) => warnings.push(error.message));
  assert.deepEqual(await ask(server, "source/page", { source: "mine", key: null, query: "q", size: 2 }), { result: { items: [{ id: "a" }], next: 2 } });
  assert.deepEqual(await ask(server, "source/insert", { source: "mine", item: { id: "b" }, before: null }), { result: {} });
  assert.deepEqual(await ask(server, "source/change", { source: "mine", item: { id: "b", n: 1 } }), { result: {} });
  assert.deepEqual(await ask(server, "source/remove", { source: "mine", id: "b" }), { error: { code: 9, message: "locked", data: { retryable: true } } });
  const filters = { label: ["bug"], sort: "-date" };
  await ask(server, "source/page", { source: "mine", key: 2, query: null, filters, size: 2 });
  assert.deepEqual(asked.pop(), { key: 2, query: null, filters, size: 2 });
  assert.deepEqual(await ask(server, "source/item", { source: "mine", id: "a" }), { result: { item: { id: "a", body: "…" } } });
  assert.equal((await ask(server, "source/item", { source: "mine", id: "b" })).error.code, -32015);
  assert.equal((await ask(server, "source/item", { source: "plain", id: "b" })).error.code, -32601);
  assert.deepEqual(asked, [{ key: null, query: "q", size: 2 }, { item: { id: "b" }, before: null }, { item: { id: "b", n: 1 } }]);
  assert.equal((await ask(server, "source/insert", { source: "plain", item: {} })).error.code, -32601);
  assert.equal((await ask(server, "source/page", { source: "other" })).error.code, -32601);
  assert.equal((await ask(server, "somethingNew", {})).error.code, -32601);
  assert.deepEqual(warnings, []);
});

test("an insertion or a change is answered with the item or the id that the source returns", async () => {
  let value;
  const mine = { page: () => ({ items: [], open: true }), insert: async () => value, change: () => value, remove: () => value };
  const { server } = await fake("items", { sources: { mine } });
  const item = { id: 7, title: "Seven" };
  const answers = [[{ item }, { item }], [{ id: 7 }, { id: 7 }], [{ id: "seven" }, { id: "seven" }], [{ item, id: 8 }, { item }]];
  // Arrow functions can return such values by accident.
  for (const accident of [1, "a", true, null, undefined, [1], {}, { item: 1 }, { id: null }, () => 1]) answers.push([accident, {}]);
  for (const [returned, result] of answers) {
    value = returned;
    assert.deepEqual(await ask(server, "source/insert", { source: "mine", item, before: null }), { result });
    assert.deepEqual(await ask(server, "source/change", { source: "mine", item }), { result });
  }
  value = { id: 7 };
  assert.deepEqual((await ask(server, "source/page", { source: "mine", key: null, query: null, size: 2 })).result, { items: [], open: true });
});

test("if the source answers an insertion with an id, the item gets that id", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  const sources = { mine: { type: "client", writes: ["insert", "change"] } };
  const screens = { rows: { viewModel: "list", source: "mine", throttle: 0 } };
  await writeFile(join(folder, "nagare.json"), JSON.stringify({ sources, screens }));
  const mine = {
    page: () => ({ items: [{ id: 1, title: "One" }] }),
    insert: () => ({ id: 2 }),
    change: ({ item }) => ({ item: { ...item, changed: true } }),
  };
  const app = await connect(stdio([...VIRTUAL, "--config", join(folder, "nagare.json")]), { sources: { mine } });
  t.after(() => app.close());
  const list = await app.open("rows");
  await list.viewWillAppear();
  await list.insert({ item: { id: "new", title: "Two" } });
  await list.change({ item: { id: 1, title: "Uno" } });
  assert.deepEqual(list.items, [{ id: 2, title: "Two" }, { id: 1, title: "Uno", changed: true }]);
});

test("bulk edits call changeMarked and removeMarked", async () => {
  const asked = [];
  const mine = { page: () => ({ items: [] }), changeMarked: (edit) => void asked.push(edit), removeMarked: (edit) => void asked.push(edit) };
  const plain = { page: () => ({ items: [] }), remove: (edit) => void asked.push(edit) };
  const { server } = await fake("items", { sources: { mine, plain } });
  const edits = [{ ids: ["a", 2] }, { all: true, except: [1], query: "q", filters: { x: 1 } }];
  for (const edit of edits) assert.deepEqual(await ask(server, "source/remove", { source: "mine", ...edit }), { result: {} });
  assert.deepEqual(await ask(server, "source/change", { source: "mine", ids: [1], set: { read: true } }), { result: {} });
  assert.equal((await ask(server, "source/remove", { source: "mine", id: "a" })).error.code, -32601);
  assert.equal((await ask(server, "source/remove", { source: "plain", ids: ["a"] })).error.code, -32601);
  assert.deepEqual(asked, [...edits, { ids: [1], set: { read: true } }]);
});

test("a slow page reports its progress until it is answered", async () => {
  let progress;
  const mine = async (_, context) => {
    progress = context.progress;
    progress(1000);
    progress(2000, { of: 4096, unit: "bytes" });
    return { items: [] };
  };
  const { server } = await fake("items", { sources: { mine } });
  await ask(server, "source/page", { source: "mine", key: null, query: null, size: 2 });
  progress(4096, { of: 4096 });
  const told = server.sent.filter(({ method }) => method === "source/progress").map(({ params }) => params);
  assert.deepEqual(told, [{ request: 1, done: 1000 }, { request: 1, done: 2000, of: 4096, unit: "bytes" }]);
});

test("an exception of a handler is sent as an error, and reported as a warning", async () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const pages = [() => { throw new TypeError("oh"); }, () => cyclic, () => Promise.reject("no")];
  const { app, server } = await fake("items", { sources: { mine: () => pages.shift()() } });
  const warnings = [];
  app.addEventListener("warning", ({ error }) => warnings.push(error));
  assert.deepEqual(await ask(server, "source/page", { source: "mine" }), { error: { code: -32603, message: "oh" } });
  assert.match((await ask(server, "source/page", { source: "mine" })).error.message, /circular/);
  assert.deepEqual(await ask(server, "source/page", { source: "mine" }), { error: { code: -32603, message: "no" } });
  assert.equal(warnings.length, 3);
});

test("a lost connection aborts running handlers", async () => {
  let signal;
  const { server } = await fake("items", { present: (_, context) => new Promise(() => (signal = context.signal)) });
  server.say({ id: 1, method: "present", params: { view: "v1", task: { kind: "alert" } } });
  server.events.close(new Error("cut"));
  assert.equal(signal.reason.message, "cut");
});
