// A window and a complete list of one session have the same rows, whatever changes meanwhile.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { connect, SourceError, virtual } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { random, settle, VIRTUAL } from "./support.js";

const CONFIG = {
  sources: { mine: { type: "client", live: true, positions: true, around: true } },
  screens: { rows: { viewModel: "list", source: "mine", pageSize: 7, throttle: 0, maxItems: 40 } },
};

/** Rows that change, and the log of their changes. A page's key is the rank of the row before it, so changes don't invalidate it. */
class Rows {
  rows = Array.from({ length: 300 }, (_, id) => ({ id, rank: id, n: 0 }));
  log = [];
  watches = new Set();
  answering = 0;

  constructor(pick) {
    this.pick = pick;
  }

  async page({ key, size, at = 0, around }) {
    this.answering += 1;
    for (let turns = this.pick(4); turns > 0; turns -= 1) await settle();
    try {
      const start = around !== undefined ? Math.max(0, this.place(around) - (size >> 1)) : key === null ? at : this.rows.filter(({ rank }) => rank <= key).length;
      const items = this.rows.slice(start, start + size);
      const total = this.rows.length;
      const page = { items, next: items.length > 0 && start + size < total ? items.at(-1).rank : null, total, position: Math.min(start, total), state: String(this.log.length) };
      // Changes at this time are reported before the page, which doesn't contain them.
      for (let turns = this.pick(6); turns > 0; turns -= 1) await settle();
      return page;
    } finally {
      this.answering -= 1;
    }
  }

  watch({ since }, { signal, changed }) {
    const told = this.log.length;
    this.watches.add(changed);
    signal.addEventListener("abort", () => this.watches.delete(changed));
    return { state: String(told), changes: this.log.slice(Number(since ?? told)).flat() };
  }

  place(id) {
    const place = this.rows.findIndex((row) => row.id === id);
    if (place < 0) throw new SourceError("There is no such row.", { code: -32015 });
    return place;
  }

  /** Inserts, removes or changes some rows. */
  happen() {
    const { rows, pick, log } = this;
    const changes = [];
    for (let times = 1 + pick(3); times > 0; times -= 1) {
      const place = pick(rows.length + 1);
      const kind = pick(3);
      if (kind === 0 || place === rows.length) {
        const before = rows[place - 1]?.rank ?? (rows[0]?.rank ?? 2) - 2;
        const row = { id: 1000 + log.length * 3 + changes.length, rank: (before + (rows[place]?.rank ?? before + 2)) / 2, n: 0 };
        changes.push({ insert: row, position: place, ...(place < rows.length ? { before: rows[place].id } : { at: "end" }) });
        rows.splice(place, 0, row);
      } else if (kind === 1) {
        changes.push({ remove: rows[place].id, position: place });
        rows.splice(place, 1);
      } else {
        rows[place] = { ...rows[place], n: log.length };
        changes.push({ change: rows[place] });
      }
    }
    log.push(changes);
    const state = { since: String(log.length - 1), state: String(log.length), total: rows.length };
    for (const changed of this.watches) changed(changes, state);
  }
}

for (let seed = 1; seed <= 6; seed += 1) {
  test(`a window and a complete list have the same rows (seed ${seed})`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "nagare-"));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "nagare.json"), JSON.stringify(CONFIG));
    const [pick, rows] = [random(seed), new Rows(random(seed + 100))];
    const mine = { page: rows.page.bind(rows), watch: rows.watch.bind(rows) };
    const app = await connect(stdio([...VIRTUAL, "--config", join(folder, "nagare.json")]), { sources: { mine } });
    const [whole, view] = [await app.open("rows"), await app.open("rows", { window: { margin: 5 } })];
    const seen = virtual(view);
    const rest = async () => {
      for (let times = 0; times < 3; times += 1) {
        await app.advance(200);
        await app.request("ping");
        while (rows.answering > 0 || whole.loading || view.loading) await app.request("ping");
      }
    };
    for (const list of [whole, view]) list.viewWillAppear.send();
    await rest();
    let compared = 0;
    for (let step = 0; step < 240; step += 1) {
      const near = [view.items.start, pick(rows.rows.length + 1), pick(whole.items.length + 1)][pick(3)];
      const start = Math.max(0, near + pick(17) - 8);
      const kind = pick(10);
      if (kind < 3) rows.happen();
      else if (kind < 5) view.viewport.send({ start, end: start + 1 + pick(11) });
      else if (kind === 5 && view.items.length > 0) view.jump.send({ index: pick(view.items.length) });
      else if (kind === 6 && rows.rows.length > 0) view.jump.send({ id: rows.rows[pick(rows.rows.length)].id });
      else if (kind < 9) for (let index = start; index < start + 8; index += 1) seen.item(index);
      else whole.loadMore.send();
      await app.request("ping");
      if (step % 8 < 7) continue;
      await rest();
      const { items } = view;
      assert.deepEqual([items.length, items.exact], [rows.rows.length, true], `step ${step}`);
      assert.deepEqual(items.held, rows.rows.slice(items.start, items.start + items.held.length), `step ${step}`);
      assert.deepEqual(whole.items, rows.rows.slice(0, whole.items.length), `step ${step}`);
      for (const [index, row] of whole.items.entries()) {
        if (!items.at(index)) continue;
        assert.deepEqual(items.at(index), row);
        compared += 1;
      }
    }
    assert.ok(compared > 50, "both have held the same rows often enough");
    await app.close();
  });
}
