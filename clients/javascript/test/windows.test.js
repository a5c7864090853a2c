// Windows on lists of any length, and the store for components that draw only visible rows.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { connect, ExactNumber, virtual } from "../src/index.js";
import { ViewportTracker } from "../src/viewport-tracker.js";
import { stdio } from "../src/stdio.js";
import { fake, settle, VIRTUAL } from "./support.js";

const LENGTH = 10_000_000;

/** Opens a view with a window, and collects the viewports that the server receives. */
async function windowed(value = [], place = {}) {
  const { server, view } = await fake();
  const say = (params) => server.output("v1", "items", { start: 0, count: LENGTH, exact: true, ...params });
  say({ value, revision: 7, ...place });
  const viewports = () => server.sent.filter(({ method }) => method === "viewport").map(({ params: { view: _, ...params } }) => params);
  return { server, view, say, viewports };
}

test("a window is the same object until something changes", async () => {
  const { view, say } = await windowed([{ id: "a" }]);
  const { subscribe, getSnapshot } = virtual(view);
  const first = getSnapshot();
  assert.ok(getSnapshot() === first && view.items === first && view.current.items === first && first.revision === 7);
  const seen = [];
  subscribe((items) => seen.push(items));
  say({ base: 7, revision: 8, start: 5, splices: [] });
  assert.deepEqual(seen, [first, view.items]);
  assert.deepEqual([first.start, getSnapshot().start, getSnapshot().revision], [0, 5, 8]);
});

test("a viewport is sent with the revision that its indexes refer to", async () => {
  const { server, view, say, viewports } = await windowed();
  view.send("viewport", { start: 5, end: 9 });
  say({ base: 7, revision: 8, start: 3, splices: [] });
  const call = view.call("viewport", { start: 6, end: 9 });
  server.answer("viewport", { result: { outcome: "finished" } });
  assert.equal(await call, "finished");
  view.send("viewport", { start: 6, end: 9, revision: 7 });
  assert.deepEqual(viewports().map(({ revision }) => revision), [7, 8, 7]);
  server.output("v1", "items", { value: [], revision: 9 });
  view.send("viewport", { start: 6, end: 9 });
  assert.equal(viewports().at(-1).revision, undefined, "a list without a window needs no revision");
});

test("reading an item reports it as visible", async () => {
  const { server, view, say, viewports } = await windowed([{ id: "a" }, null]);
  const rows = virtual(view);
  assert.deepEqual([rows.count, rows.item(0), rows.item(1), rows.item(LENGTH), rows.item(-1)], [LENGTH, { id: "a" }, null, null, null]);
  assert.deepEqual(viewports(), [], "rows that are read together are reported together");
  await settle();
  assert.deepEqual(viewports(), [{ start: 0, end: 2, revision: 7 }]);
  rows.item(1);
  view.items.at(500);
  rows.getItemKey(500);
  await settle();
  assert.equal(viewports().length, 1, "rows that were reported or weren't read aren't reported");
  for (let index = 5_000_000; index < 5_000_020; index += 1) rows.item(index);
  await settle();
  say({ base: 7, revision: 8, start: 4_999_950, splices: [] });
  rows.item(5_000_020);
  await settle();
  assert.deepEqual(viewports().slice(1), [{ start: 5_000_000, end: 5_000_020, revision: 7 }, { start: 5_000_001, end: 5_000_021, revision: 8 }]);
  view.send("jump", { index: 7 });
  rows.item(5_000_020);
  await settle();
  assert.deepEqual(viewports().at(-1), { start: 5_000_020, end: 5_000_021, revision: 8 }, "after a jump, rows are reported again");
  server.output("v1", "items", { value: [{ id: "a" }], revision: 9 });
  assert.deepEqual(rows.item(0), { id: "a" });
  await settle();
  assert.equal(viewports().length, 4, "a list without a window reports no viewport");
});

test("onRange accepts the ranges of TanStack Virtual and react-window", async () => {
  const { view, viewports } = await windowed();
  const { onRange } = virtual(view);
  onRange({ startIndex: 0, endIndex: 19 }); // TanStack Virtual
  onRange({ startIndex: 0, stopIndex: 19 }); // react-window
  onRange(null);
  onRange({ startIndex: 0, endIndex: -1 });
  onRange({ startIndex: 60, stopIndex: 79 });
  assert.deepEqual(viewports(), [{ start: 0, end: 20, revision: 7 }, { start: 60, end: 80, revision: 7 }]);
});

test("each row has a different key", async () => {
  const { view } = await windowed([{ id: "a", key: 1 }, { id: 7 }, { id: 9007199254740993n }, { id: new ExactNumber("1e400") }, null]);
  const { getItemKey } = virtual(view);
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(getItemKey), ["a", 7, 9007199254740993n, "1e400", "unread 4", "unread 5"]);
  assert.equal(virtual(view, "items", { id: "key" }).getItemKey(0), 1);
});

test("the reported viewport consists of consecutive rows", () => {
  const sight = new ViewportTracker();
  const taken = () => {
    const seen = sight.takeUnreported();
    if (seen) sight.reported(seen);
    return seen && [seen.start, seen.end];
  };
  for (let index = 20; index < 40; index += 1) assert.equal(sight.rowRead(index, 1), index === 20);
  assert.deepEqual([taken(), taken()], [[20, 40], null]);
  assert.deepEqual([sight.rowRead(39, 1), sight.rowRead(41, 1), sight.rowRead(40, 1)], [false, true, false]);
  assert.deepEqual(taken(), [22, 42], "it moves as little as possible");
  assert.deepEqual([sight.rowRead(21, 1), taken()], [true, [21, 41]]);
  for (const index of [0, 5000, 5001]) sight.rowRead(index, 1);
  assert.deepEqual(taken(), [5000, 5002], "the rows that were read last count");
  for (let index = 0; index < 5000; index += 1) sight.rowRead(index, 1);
  assert.deepEqual(taken(), [4500, 5000], "a viewport has a maximum size");
  sight.rowRead(0, 1);
  sight.rowRead(2, 2);
  assert.deepEqual(taken(), [2, 3], "indexes of another revision aren't combined");
});

/** A minimal virtual list: it draws the visible rows when its store changes or the user scrolls. */
class VirtualList {
  drawn = new Map();
  first = 0;

  constructor(rows, height = 20) {
    Object.assign(this, { rows, height });
    this.leave = rows.subscribe(() => this.draw());
  }

  scroll(first) {
    this.first = first;
    const { onRange, count } = this.rows;
    onRange({ startIndex: first, endIndex: Math.min(count, first + this.height) - 1 });
    this.draw();
  }

  draw() {
    const { rows, first, height } = this;
    const snapshot = rows.getSnapshot();
    assert.ok(snapshot === rows.getSnapshot(), "React draws for ever otherwise");
    this.drawn.clear();
    for (let index = first; index < Math.min(snapshot.length, first + height); index += 1) this.drawn.set(rows.getItemKey(index), rows.item(index));
    assert.equal(this.drawn.size, Math.max(0, Math.min(height, snapshot.length - first)), "keys are different");
  }
}

test("a virtual list draws ten million rows", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  const screens = { items: { viewModel: "list", source: "long" } };
  await writeFile(join(folder, "nagare.json"), JSON.stringify({ sources: { long: { type: "demo", rows: LENGTH } }, screens }));
  const app = await connect(stdio([...VIRTUAL, "--config", join(folder, "nagare.json")]));
  const view = await app.open("items", { window: { margin: 30 } });
  const list = new VirtualList(virtual(view));
  view.viewWillAppear.send();
  await app.advance(1000);
  assert.equal(list.rows.count, LENGTH);
  const whole = [];
  for (const first of [0, 10, 25, 5_000_000, 5_000_015, 4_999_990, LENGTH - 20, 3]) {
    list.scroll(first);
    await app.advance(2000);
    assert.ok([...list.drawn.values()].every(Boolean), `all rows from ${first} on are there`);
    assert.ok(view.items.held.length <= 80 && view.items.start <= first);
    whole.push([first, [...list.drawn.keys()]]);
  }
  // Without `onRange`: reading the rows is enough.
  for (const [first, keys] of whole) {
    list.first = first;
    list.draw();
    await app.advance(0);
    await app.advance(2000);
    assert.deepEqual([...list.drawn.keys()], keys);
  }
  list.leave();
  await app.close();
});
