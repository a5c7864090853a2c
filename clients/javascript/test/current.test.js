// A client that applies all outputs since the answer to `open` has the values that `outputs` returns, whatever the user does.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { connect, NagareError, SourceError } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { random, settle, VIRTUAL } from "./support.js";

const CONFIG = {
  sources: {
    mine: { type: "client", writes: ["insert", "remove"] },
    some: { type: "demo" },
    none: { type: "file", path: "none.jsonl" },
    lines: { type: "file", path: "lines.jsonl" },
  },
  stores: { shop: { query: "ramen" } },
  screens: {
    rows: { viewModel: "list", source: "mine", pageSize: 3, throttle: 0, detail: "row" },
    kept: { viewModel: "list", source: "mine", onRefresh: "keep", confirmRemoval: "Sure?", query: { store: "shop.query" }, detail: "row" },
    broken: { viewModel: "list", source: "lines", pageSize: 2, throttle: 0, detail: "row" },
    row: { viewModel: "pager" },
    find: { viewModel: "search", source: "mine", pageSize: 3, detail: "row" },
    genres: { viewModel: "choice", choices: ["ramen", "curry"], store: "shop.query" },
    profile: {
      viewModel: "task",
      tasks: [
        { input: "rename", output: "name", task: { kind: "prompt", title: "Name" } },
        { input: "logout", output: "loggedIn", task: { kind: "confirm", title: "Out?" }, initial: true, completed: false },
      ],
    },
    offers: { viewModel: "feed", source: "mine", pageSize: 2 },
    missing: { viewModel: "feed", source: "none" },
    demo: { viewModel: "feed", source: "some", pageSize: 1 },
  },
};
const SCREENS = Object.keys(CONFIG.screens).filter((screen) => screen !== "row");
const SEEDS = 12;
/** The number of steps with each seed. `NAGARE_STEPS` is their sum over all seeds. */
const STEPS = Math.floor(Number(process.env.NAGARE_STEPS ?? 7200) / SEEDS);
const LINES = ['{"id":1}', "nonsense", '{"id":2}', '{"id":2}', '{"id":"a"}', '{"no":1}'].join("\n");

/** Random actions of a user and a source, determined by a seed. */
class Day {
  steps = 0;
  #held = [];

  constructor(pick) {
    this.pick = pick;
  }

  one(...choices) {
    return choices[this.pick(choices.length)];
  }

  id() {
    return this.one("a", "b", "c", "d", 1, 2, "x");
  }

  item() {
    return { id: this.id(), n: this.pick(3) };
  }

  /** Answers now, later or never, with a result or an error. */
  answer(right) {
    const give = () => {
      if (this.pick(4) > 0) return right();
      throw new SourceError(this.one("no", "never"), { code: this.pick(2), retryable: this.pick(3) === 0 });
    };
    return this.pick(3) > 0 ? give() : new Promise((resolve) => this.#held.push(() => resolve(new Promise((answer) => answer(give())))));
  }

  page() {
    return { items: Array.from({ length: this.pick(5) }, () => this.item()), next: this.one(null, 1, "k"), previous: this.one(null, 2) };
  }

  async act(app) {
    this.steps += 1;
    const view = this.one(...app.views.values());
    switch (view ? this.pick(12) : 0) {
      case 0:
        return app.open(this.one(...SCREENS));
      case 1:
        return app.views.size > 8 && view.close();
      case 2:
        return app.advance(this.one(0, 1, 200, 300, 1000, 40_000));
      case 3:
        return app.sendAction("shop.query", this.one("ramen", "curry", "sushi"));
      case 4:
      case 5:
        return this.#held.splice(this.pick(this.#held.length), 1)[0]?.();
      default: {
        const { inputs } = this.screens.find(({ screen }) => screen === view.screen);
        const start = this.pick(4);
        const way = this.one({}, { to: this.one("next", "previous"), id: null });
        const rows = { start, end: start + this.pick(3) };
        const params = { item: this.item(), id: this.id(), before: this.one(null, this.id()), text: this.one("", "a"), ...rows, ...way };
        return view.open(this.one(...inputs), params);
      }
    }
  }
}

for (let seed = 1; seed <= SEEDS; seed += 1) {
  test(`current values equal the server's (seed ${seed})`, { timeout: 60_000 + 100 * STEPS }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "nagare-"));
    t.after(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "nagare.json"), JSON.stringify(CONFIG));
    await writeFile(join(folder, "lines.jsonl"), LINES);
    const day = new Day(random(seed));
    const app = await connect(stdio([...VIRTUAL, "--config", join(folder, "nagare.json")]), {
      deltas: seed % 4 > 0,
      present: () => day.answer(() => day.one("Mei", true, null, undefined, 7)),
      sources: { mine: { page: () => day.answer(() => day.page()), insert: () => day.answer(() => {}), remove: () => day.answer(() => {}) } },
    });
    t.after(() => app.close());
    day.screens = await app.screens();
    while (day.steps < STEPS) {
      await Promise.resolve(day.act(app)).catch((error) => assert.ok(error instanceof NagareError, error));
      // After the first ping the handlers' answers have been sent.
      for (let times = 0; times < 3; times += 1) await app.request("ping").then(settle);
      // Requesting `outputs` makes the server send pending outputs. So several steps often run without it.
      if (day.pick(3) > 0) continue;
      for (const view of app.views.values()) {
        const { outputs } = await app.request("outputs", { view: view.view });
        const values = Object.fromEntries(Object.entries(outputs).map(([output, { value }]) => [output, value]));
        assert.deepEqual(view.current, values, `step ${day.steps}, ${view.screen}`);
      }
    }
  });
}
