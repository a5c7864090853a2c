import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { connect, live } from "../src/index.js";
import { changesBetween } from "../src/live.js";
import { stdio } from "../src/stdio.js";
import { fake, random, settle, VIRTUAL } from "./support.js";

const rows = (...ids) => ids.map((id) => ({ id }));
const ids = (items) => items.map(({ id }) => id);

/** Opens a session with one list, which shows a live source. */
async function listOf(t, source, screen = {}) {
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  const sources = { mine: { type: "client", live: true, writes: ["insert", "change", "remove"] } };
  const screens = { rows: { viewModel: "search", source: "mine", pageSize: 3, throttle: 0, debounce: 0, livePace: 0, ...screen } };
  await writeFile(join(folder, "nagare.json"), JSON.stringify({ sources, screens }));
  const app = await connect(stdio([...VIRTUAL, "--config", join(folder, "nagare.json")]), { sources: { mine: source } });
  t.after(() => app.close());
  const list = await app.open("rows");
  await list.viewWillAppear();
  return { app, list };
}

test("changesBetween returns the fewest changes that turn one list into the other", () => {
  const changes = (before, after) => changesBetween(before, after, ({ id }) => id);
  const [a, b, c] = rows("a", "b", "c");
  assert.deepEqual(changes([a, b, c], [a, b, c]), []);
  assert.deepEqual(changes([a, c], [a, b, c]), [{ insert: b, before: "c" }]);
  assert.deepEqual(changes([a, b, c], [c, a, b]), [{ insert: c, before: "a" }]);
  assert.deepEqual(changes([a, b, c], [b, c, a]), [{ insert: a, at: "end" }]);
  assert.deepEqual(changes([a, b, c], [{ id: "b", read: true }]), [{ remove: "a" }, { remove: "c" }, { change: { id: "b", read: true } }]);
  assert.deepEqual(changes(rows(1), rows("1")), [{ remove: 1 }, { insert: { id: "1" }, at: "end" }]);
});

test("a list follows random changes of its live rows while its pages load", async (t) => {
  const pick = random(7);
  const shuffled = () => {
    const all = Array.from({ length: pick(14) }, (_, place) => ({ id: place, version: pick(2) }));
    return all.map((row) => ({ row, by: pick(1000) })).sort((one, other) => one.by - other.by).map(({ row }) => row);
  };
  const mine = live(shuffled());
  const { app, list } = await listOf(t, mine);
  for (let day = 0; day < 60; day += 1) {
    await list.refresh();
    for (let step = pick(6); step > 0; step -= 1) {
      if (pick(2) === 0) mine.items = shuffled();
      else if (pick(2) === 0) mine.items = mine.items.filter(() => pick(4) > 0);
      else await list.reachBottom();
    }
    do await app.advance(1);
    while ((await list.reachBottom()) === "finished");
    assert.deepEqual(list.items, mine.items, `day ${day}`);
    assert.equal(list.state.total, mine.items.length);
  }
});

test("a list and its search follow a live array, and edits change the array", async (t) => {
  const mine = live([{ id: 1, title: "Ann" }, { id: 2, title: "Ben" }]);
  const { app, list } = await listOf(t, mine);
  mine.items = [{ id: 3, title: "Anna" }, ...mine.items];
  await app.advance(1);
  await list.until("items", (items) => items.length === 3);
  assert.deepEqual(ids(list.items), [3, 1, 2]);
  await list.remove({ id: 1 });
  await list.change({ item: { id: 2, title: "Bea" } });
  await list.insert({ item: { id: 4, title: "Dan" }, before: 2 });
  assert.deepEqual(mine.items, [{ id: 3, title: "Anna" }, { id: 4, title: "Dan" }, { id: 2, title: "Bea" }]);
  list.search.send({ text: "an" });
  await app.advance(0);
  await list.until("items", (items) => items.length === 2);
  mine.items = [...mine.items, { id: 5, title: "Stan" }, { id: 6, title: "Eve" }];
  await app.advance(1);
  await list.until("items", (items) => items.length === 3);
  assert.deepEqual(ids(list.items), [3, 4, 5]);
});

test("deferred arrivals are counted, and listed by showArrivals", async (t) => {
  const mine = live(rows("a", "b"));
  const { list } = await listOf(t, mine, { arrivals: "ask" });
  assert.deepEqual(list.arrivals, { count: 0 });
  mine.items = [...rows("x", "y"), ...mine.items];
  assert.deepEqual(await list.until("arrivals", ({ count }) => count > 0), { count: 2 });
  assert.deepEqual([ids(list.items), list.state.total], [["a", "b"], 4]);
  await list.showArrivals();
  assert.deepEqual(ids(list.items), ["x", "y", "a", "b"]);
});

test("a signal can be a live source", async () => {
  const callbacks = [];
  const [a, b] = rows("a", "b");
  const signal = { subscribe: (callback) => (callbacks.push(callback), callback([a])) };
  const mine = live(signal, { match: ({ id }, { filters }) => !filters || filters.id === id });
  const changed = [];
  mine.watch({ query: null, since: null }, { signal: new AbortController().signal, changed: (changes) => changed.push(changes) });
  callbacks[0]([a, b]);
  assert.deepEqual(ids(mine.page({ key: null, query: null, size: 9 }).items), ["a", "b"]);
  assert.deepEqual(ids(mine.page({ key: null, query: null, filters: { id: "b" }, size: 9 }).items), ["b"]);
  assert.deepEqual(changed, [[{ insert: b, at: "end" }]]);
  assert.throws(() => (mine.items = []), /change that signal/);
});

test("changes before the answer are sent after it, and none are sent after the watch has ended", async () => {
  let context;
  const watch = (_, given) => {
    context = given;
    given.changed([{ insert: { id: "a" } }], { state: "2" });
    return { state: "1" };
  };
  const { server, app } = await fake("items", { sources: { mine: { page: () => ({ items: [] }), watch } } });
  const told = () => server.sent.splice(0).filter(({ method }) => method === "source/changed" || method === undefined).map(({ result, params }) => result ?? params);
  told();
  const watched = { source: "mine", query: "q" };
  server.say({ id: 1, method: "source/watch", params: { ...watched, since: null } });
  await settle();
  assert.deepEqual(told(), [{ state: "1" }, { ...watched, state: "2", changes: [{ insert: { id: "a" } }] }]);
  // A second request replaces the first watch.
  const first = context;
  server.say({ id: 2, method: "source/watch", params: { ...watched, since: "2" } });
  await settle();
  told();
  first.changed("all");
  context.changed("all");
  await settle();
  assert.deepEqual(told(), [{ ...watched, changes: "all" }]);
  server.say({ method: "source/unwatch", params: watched });
  context.changed("all");
  await settle();
  assert.deepEqual([told(), context.signal.aborted], [[], true]);
  server.say({ id: 3, method: "source/watch", params: { ...watched, since: null } });
  await settle();
  server.events.close(new Error("cut"));
  assert.equal(context.signal.aborted, true);
  await app.close();
});
