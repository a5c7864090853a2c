// Runs the scenarios that all client libraries share. `clients/behaviour/README.md` defines their steps.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { describe } from "node:test";
import { CancelledError, connect, ConnectionClosedError, ListWindow, NagareError, parse, sameId, stringify } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { ROOT, settle, VIRTUAL } from "./support.js";

const FOLDER = process.env.BEHAVIOUR ?? `${ROOT}clients/behaviour`;
const RELAY = ["python3", `${FOLDER}/relay.py`, "--"];

/** Whether a value matches the expectation of a scenario. */
function matches(wanted, value) {
  const isNumber = typeof value === "bigint" || value instanceof Number;
  const type = value === null ? "null" : Array.isArray(value) ? "array" : isNumber ? "number" : typeof value;
  if (wanted === "<any>") return true;
  if (typeof wanted === "string" && /^<(string|number|object|array)>$/.test(wanted)) return wanted === `<${type}>`;
  if (Array.isArray(wanted)) return type === "array" && wanted.length === value.length && wanted.every((one, index) => matches(one, value[index]));
  if (wanted === null || typeof wanted !== "object" || wanted instanceof Number) return sameId(wanted, value);
  return type === "object" && Object.keys(wanted).every((name) => Object.hasOwn(value, name) && matches(wanted[name], value[name]));
}

function check(wanted, value, what) {
  assert.ok(matches(wanted, value), `${what}: wanted ${stringify(wanted)}, but there is ${stringify(value)}`);
}

/** Returns a list, or the held rows of a window. */
const held = (items) => (items instanceof ListWindow ? items.held : items);
const ids = (items) => held(items)?.map((item) => item && item.id);

/** Returns the current values of a view, with windows replaced by their held rows. */
const plain = (current) => Object.fromEntries(Object.entries(current).map(([name, value]) => [name, held(value)]));

/** Plays a scenario through the library. */
class Player {
  views = new Map();
  calls = new Map();
  requests = [];
  named = new Map();
  heard = new Map();

  constructor(scenario) {
    this.scenario = scenario;
    this.outputs = new Set(scenario.steps.flatMap(({ heard }) => heard ?? []));
  }

  async play(transport) {
    const { sources = [], present, steps } = this.scenario;
    this.app = await connect(transport);
    for (const source of sources) {
      const serve = (method) => (params, { signal, changed }) => this.serve(method, { source, ...params }, signal, changed);
      const functions = ["page", "watch", "item", "insert", "change", "remove", "changeMarked", "removeMarked"];
      this.app.source(source, Object.fromEntries(functions.map((name) => [name, serve(`source/${name.replace("Marked", "")}`)])));
    }
    const presenter = (task, { view, signal }) => this.serve("present", { view: view.view, task }, signal);
    if (present) this.app.present(present[0] === "*" ? presenter : Object.fromEntries(present.map((kind) => [kind, presenter])));
    try {
      for (const [index, step] of steps.entries()) {
        await this.step(step).catch((error) => {
          if (!(error instanceof ConnectionClosedError)) error.message = `step ${index + 1}, ${stringify(step)}: ${error.message}`;
          throw error;
        });
      }
    } finally {
      await this.app.close();
      for (const call of this.calls.values()) {
        const error = await call.then(() => null, (error) => error);
        assert.ok(error === null || error instanceof ConnectionClosedError || error instanceof CancelledError, `a call ended with ${error}`);
      }
    }
  }

  async step(step) {
    const name = Object.keys(step).find((name) => name in Player.steps) ?? assert.fail(`an unknown step: ${Object.keys(step)}`);
    const done = Player.steps[name].call(this, step, step.in ?? "v");
    if (!("fails" in step)) return done;
    const error = await done.then(() => assert.fail("it didn't fail"), (error) => error);
    if (error instanceof ConnectionClosedError || !(error instanceof NagareError)) throw error;
    check(step.fails, { code: error.code, data: error.data }, "the error");
  }

  wait(name, call, controller) {
    const waiting = Object.assign(call, { controller, isOver: false });
    call.catch(() => {}).finally(() => void (waiting.isOver = true));
    this.calls.set(name, waiting);
  }

  static steps = {
    async open({ open, as = "v", params }) {
      this.adopt(as, await this.app.open(open, params));
    },
    async do(step, view) {
      const opened = await this.views.get(view).open(step.do, this.params(step, view));
      if ("opens" in step) assert.equal(opened === undefined, step.opens === null, "whether a view was opened");
      if (step.opens) this.adopt(step.opens, opened);
    },
    async call({ call, as, ...step }, view) {
      const controller = new AbortController();
      this.wait(as, this.views.get(view).call(call, this.params(step, view), controller), controller);
    },
    async over({ over, outcome, ids: listed }, view) {
      const call = this.calls.get(over);
      this.calls.delete(over);
      const found = await call;
      if (outcome) assert.equal(found, outcome);
      if (listed) check(listed, ids(this.views.get(view).items), "what is listed");
    },
    async pending({ pending }) {
      await this.settle();
      const call = this.calls.get(pending);
      if (call.isOver) assert.fail(`it is over: ${await call}`);
    },
    async leave({ leave }) {
      const call = this.calls.get(leave);
      this.calls.delete(leave);
      call.controller.abort(new Error("left"));
      await call.then((outcome) => assert.fail(`it was over: ${outcome}`), (error) => {
        if (error.message !== "left") throw error;
      });
    },
    async tell(step, view) {
      this.views.get(view).send(step.tell, this.params(step, view));
    },
    async expect({ expect, in: _, ...wanted }, name) {
      const view = this.views.get(name);
      wanted.current = expect;
      const there = () => {
        const { items } = view.current;
        return { current: plain(view.current), ids: ids(items), count: items?.length, start: items?.start, exact: items?.exact };
      };
      await this.until(() => matches(wanted, there()), () => `wanted ${stringify(wanted)}, but there is ${stringify(there())}`);
    },
    async heard({ heard, values }, name) {
      const queue = this.heard.get(`${name} ${heard}`);
      await this.until(() => queue.length >= values.length, () => `heard only ${stringify(queue)}`);
      await this.settle();
      check(values, queue.splice(0).map((value) => (heard === "navigate" ? { screen: value.screen, view: value.view } : value)), "what was heard");
    },
    async asked({ asked, with: wanted = {}, as, ...answer }) {
      await this.until(() => this.requests.length > 0, () => `nothing was asked`);
      const request = this.requests.shift();
      check({ method: asked, params: wanted }, request, "what was asked");
      if (as) this.named.set(as, request);
      if ("result" in answer || "error" in answer) request.answer(answer);
    },
    async changed({ changed, changes, ...state }) {
      this.named.get(changed).changed(changes, state);
    },
    async answer({ answer: name, ...answer }) {
      this.named.get(name).answer(answer);
    },
    async cancelled({ cancelled }) {
      const { signal } = this.named.get(cancelled);
      await this.until(() => signal.aborted, () => `${cancelled} isn't cancelled`);
    },
    async unasked() {
      await this.settle();
      assert.deepEqual(this.requests.map(({ method, params }) => ({ method, params })), []);
    },
    async advance({ advance }) {
      await this.app.advance(advance);
    },
    async dispatch({ dispatch, value, as }) {
      if (!as) return this.app.sendAction(dispatch, value);
      const controller = new AbortController();
      this.wait(as, this.app.dispatch(dispatch, value, controller), controller);
    },
    async screens({ screens }) {
      assert.deepEqual((await this.app.screens()).map(({ screen }) => screen), screens);
    },
    async outputs({ outputs: wanted }, name) {
      const view = this.views.get(name);
      const { outputs } = await this.app.request("outputs", { view: view.view });
      const values = Object.fromEntries(Object.entries(outputs).map(([output, { value }]) => [output, value]));
      check(wanted, values, "what is current");
      assert.deepEqual(plain(view.current), values);
      const { start, count, exact, revision } = outputs.items ?? {};
      if (start !== undefined) assert.deepEqual(view.current.items, new ListWindow(values.items, start, count, exact, revision));
    },
    async close({ close }) {
      await this.views.get(close).close();
    },
    async closed({ closed }) {
      await this.until(() => !this.views.get(closed).isOpen, () => `${closed} is open`);
    },
  };

  /** Returns the parameters with which a step calls an input. */
  params({ with: params = {} }, view) {
    const filled = Object.entries(params).map(([name, value]) => {
      const [, what, place] = /^<(item|id) (\d+)>$/.exec(value) ?? [];
      const item = what && held(this.views.get(view).items)[place];
      return [name, what === "id" ? item.id : (item ?? value)];
    });
    return Object.fromEntries(filled);
  }

  adopt(name, view) {
    this.views.set(name, view);
    for (const output of this.outputs) {
      const queue = [];
      this.heard.set(`${name} ${output}`, queue);
      if (output in view.current) view.subscribe(output, (value) => queue.push(value));
      else void this.listen(view, output, queue).catch(() => {});
    }
  }

  async listen(view, output, queue) {
    for await (const value of view.values(output)) queue.push(value);
  }

  serve(method, params, signal, changed) {
    return new Promise((resolve, reject) => {
      const answer = ({ result, error }) => {
        if (error) reject(new NagareError(error.message, error));
        else if (method === "source/item") resolve(result.item);
        else if (method !== "present") resolve(result);
        else resolve(result.outcome === "cancelled" ? null : (result.value ?? undefined));
      };
      this.requests.push({ method, params, signal, changed, answer });
    });
  }

  async settle() {
    await this.app.request("ping");
    await this.app.request("ping");
    await settle();
  }

  async until(holds, what) {
    for (const start = Date.now(); !holds(); await new Promise((resolve) => setTimeout(resolve, 1))) {
      if (this.app.state === "closed") await this.app.request("ping");
      if (Date.now() - start > 10_000) assert.fail(what());
    }
  }
}

/** Kills a server if it hasn't ended yet. */
function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
}

/** Returns a transport to the server of a scenario, which ends with the test. `counts.messages` counts the server's messages. */
async function server(t, { config, files = {} }, command, counts = { messages: 0, last: Infinity, fate: undefined }) {
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await writeFile(join(folder, "nagare.json"), stringify(config ?? null));
  const { open } = stdio([...command, ...(config ? ["--config", join(folder, "nagare.json")] : [])]);
  return {
    async open(events, options) {
      let link = null;
      const message = (text) => {
        if (counts.messages >= counts.last) return;
        events.message(text);
        if ((counts.messages += 1) === counts.last) kill(link.pid);
      };
      const close = (error) => events.close((counts.fate = error));
      link = await open({ message, close }, options);
      if (counts.last === 0) kill(link.pid);
      return link;
    },
  };
}

const folder = `${FOLDER}/scenarios`;
const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];

test("there are scenarios", () => assert.ok(names.length > 0, `${folder} is missing`));

// They mostly wait, so several run at once.
describe("the scenarios", { concurrency: 4 }, () => names.sort().forEach(play));

function play(name) {
  const scenario = parse(readFileSync(join(folder, name), "utf8"));
  test(`${name}: ${scenario.about}`, { timeout: 120_000 }, async (t) => {
    const counts = { messages: 0, last: Infinity, fate: undefined };
    await new Player(scenario).play(await server(t, scenario, VIRTUAL, counts));
    assert.equal(counts.fate, null, "the server ends with 0");
    await new Player(scenario).play(await server(t, scenario, [...RELAY, ...VIRTUAL])).catch((error) => {
      throw new Error(`on a slow pipe: ${error.message}`, { cause: error });
    });
    for (let last = 0; last < counts.messages; last += 1) {
      const cut = { messages: 0, last, fate: undefined };
      const error = await new Player(scenario).play(await server(t, scenario, VIRTUAL, cut)).catch((error) => error);
      if (error && !(error instanceof ConnectionClosedError)) throw new Error(`killed after message ${last}: ${error.message}`, { cause: error });
      // A run that waits less than the first sends fewer requests, so it may end before the kill.
      if (!error && !cut.fate) continue;
      assert.match(cut.fate?.message ?? "it ended in order", /was ended by SIGKILL/, `killed after message ${last}: ${error}`);
    }
  });
}
