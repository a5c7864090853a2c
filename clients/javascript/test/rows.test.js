import assert from "node:assert/strict";
import test from "node:test";
import { connect } from "../src/index.js";
import { lines } from "../src/lines.js";
import { stdio } from "../src/stdio.js";
import { fake, random, VIRTUAL } from "./support.js";

/** Changes `list` at random, and returns the same changes as splices. */
function change(list, pick, next) {
  const splices = [];
  for (let times = pick(4); times >= 0; times -= 1) {
    const start = pick(list.length + 1);
    const deleteCount = pick(Math.min(list.length - start, 20) + 1);
    const items = Array.from({ length: pick(100) === 0 ? 2500 : pick(6) }, next);
    splices.push({ start, deleteCount, items });
    list.splice(start, deleteCount);
    items.forEach((item, index) => list.splice(start + index, 0, item));
  }
  return splices;
}

for (let seed = 1; seed <= 40; seed += 1) {
  test(`random splices result in the server's list (seed ${seed})`, async () => {
    const pick = random(seed);
    const { server, view } = await fake();
    let list = [];
    let revision = 0;
    let count = 0;
    const read = [];
    for (let step = 0; step < 60; step += 1) {
      const [base, before] = [revision, list.slice()];
      const splices = change(list, pick, () => ({ id: (count += 1) }));
      revision += 1 + pick(3);
      const kind = pick(12);
      if (kind === 0) {
        server.output("v1", "items", { value: list.slice(), revision });
      } else if (kind === 1) {
        // A change got lost. The client notices this at the next one, and keeps its list until then.
        const missed = { base, revision, count: list.length };
        const more = change(list, pick, () => ({ id: (count += 1) }));
        revision += 1;
        server.output("v1", "items", { base: missed.revision, revision, count: list.length, splices: more });
        assert.deepEqual(view.items, before);
        server.answer("outputs", { result: { outputs: { items: { value: list.slice(), revision } } } });
        await new Promise(setImmediate);
      } else {
        server.output("v1", "items", { base, revision, count: list.length, splices });
      }
      if (pick(3) > 0) {
        assert.deepEqual(view.items, list);
        read.push([view.items, list.slice()]);
      }
    }
    assert.deepEqual(view.items, list);
    for (const [then, copy] of read) assert.deepEqual(then, copy);
  });
}

for (let seed = 1; seed <= 20; seed += 1) {
  test(`random splices of a window result in the held rows (seed ${seed})`, async () => {
    const pick = random(seed);
    const { server, view } = await fake();
    server.output("v1", "items", { value: [], revision: 0, start: 0, count: 0, exact: false });
    const held = [];
    for (let step = 0, revision = 0; step < 40; step += 1) {
      const splices = change(held, pick, () => (pick(3) === 0 ? null : { id: pick(1000) }));
      const place = { start: pick(1_000_000), count: 0, exact: pick(2) === 0 };
      place.count = place.start + held.length + pick(5);
      server.output("v1", "items", { base: revision, revision: revision + 1, ...place, splices });
      revision += 1;
      const { items } = view;
      assert.equal(view.items, items, "a store compares by identity");
      assert.deepEqual([items.held, items.start, items.length, items.exact], [held, ...Object.values(place)]);
      for (const index of [place.start - 1, place.start, place.start + held.length - 1, place.start + held.length, place.count]) {
        const expected = index < 0 ? items.at(place.count + index) : index < place.count ? held[index - place.start] ?? null : undefined;
        assert.deepEqual(items.at(index), expected);
      }
      assert.deepEqual(items.slice(place.start, place.start + held.length), held);
    }
  });
}

test("a window gives access to the rows of a list of any length", async () => {
  const app = await connect(stdio(VIRTUAL));
  const view = await app.open("items", { window: { margin: 10 }, pageSize: 40 });
  view.viewWillAppear.send();
  await app.advance(1000);
  const scrolled = [];
  view.subscribe("scrollTo", (target) => scrolled.push(target));
  const { length } = view.items;
  view.jump.send({ index: length - 1 });
  await app.advance(1000);
  assert.equal(view.items.length, length);
  assert.ok(view.items.at(-1).id);
  assert.deepEqual(scrolled, [{ index: length - 1, id: null }]);
  assert.equal(view.items.at(0), null);
  await app.close();
});

test("lines are the same however the text is divided into pieces", () => {
  const text = '{"a":"ä"}\r\n\n  \n[1]\n{"流":"れ"}\nrest without an end';
  for (let seed = 1; seed <= 50; seed += 1) {
    const pick = random(seed);
    const found = [];
    const take = lines((line) => found.push(line.trim()));
    for (let start = 0; start < text.length; ) {
      const end = start + 1 + pick(9);
      take(text.slice(start, end));
      start = end;
    }
    assert.deepEqual(found, ['{"a":"ä"}', "[1]", '{"流":"れ"}']);
  }
});
