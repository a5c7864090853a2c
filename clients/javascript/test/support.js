// Shared by the tests: a fake server, and the real one.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { connect, parse, stringify } from "../src/index.js";

export const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
export const HERE = fileURLToPath(new URL("../", import.meta.url));

/** The `nagare` program: the one in the environment variable NAGARE, or the release build. */
export const NAGARE = process.env.NAGARE ?? `${ROOT}.build/release/nagare`;
if (!existsSync(NAGARE)) throw new Error(`${NAGARE} is missing: run \`swift build -c release --product nagare\``);

export const VIRTUAL = [NAGARE, "--clock", "virtual"];

export const SCREENS = [
  { screen: "items", viewModel: "list", inputs: ["viewWillAppear", "select", "close"], outputs: ["items", "loading", "error", "state", "navigate"] },
  { screen: "detail", viewModel: "pager", inputs: ["swipe"], outputs: ["page", "loading", "error"] },
  { screen: "offers", viewModel: "feed", inputs: ["refresh"], outputs: ["offers", "error"] },
  { screen: "profile", viewModel: "task", inputs: ["rename"], outputs: ["name", "error"] },
  { screen: "odd", viewModel: "odd", inputs: ["call", "then", "go"], outputs: ["current", "view", "name"] },
];

export const OUTPUTS = {
  items: { items: { value: [], revision: 0 }, loading: { value: false }, error: { value: null }, state: { value: { phase: "nothing" } } },
  detail: { page: { value: { id: "a" } }, loading: { value: false }, error: { value: null } },
  offers: { offers: { value: [] }, error: { value: null } },
  profile: { error: { value: null } },
  odd: { current: { value: 1 }, view: { value: 2 }, name: { value: 3 } },
};

/** A transport to a fake server. It answers `initialize`, `screens`, `open` and `close`; the test answers all other requests. */
export class Fake {
  /** All received messages, of all connections. */
  sent = [];
  connections = 0;
  closed = 0;
  version = "1";
  /** Whether the test answers `screens`, too. */
  silent = false;
  /** Called with the text of each message. */
  hears = (_) => {};
  #views = 0;

  async open(events) {
    this.connections += 1;
    this.events = events;
    return {
      send: (text) => {
        this.hears(text);
        this.#take(parse(text));
      },
      close: async (farewell) => {
        this.closed += 1;
        await farewell?.shutdown();
        farewell?.exit();
        events.close(null);
      },
    };
  }

  say(message) {
    this.events.message(stringify({ jsonrpc: "2.0", ...message }));
  }

  output(view, output, params) {
    this.say({ method: output, params: { view, ...params } });
  }

  answer(method, outcome) {
    const request = this.sent.findLast((message) => message.method === method);
    this.say({ id: request.id, ...outcome });
  }

  /** The received methods, without those at the beginning of every session. */
  get methods() {
    return this.sent.map(({ method }) => method).filter((method) => !["initialize", "screens", "shutdown", "exit"].includes(method));
  }

  #take(message) {
    this.sent.push(message);
    const { id, method, params } = message;
    if (method === "initialize") this.say({ id, result: { protocolVersion: this.version, capabilities: { deltas: true } } });
    if (method === "screens" && !this.silent) this.say({ id, result: { screens: SCREENS } });
    if (method === "close" || method === "shutdown") this.say({ id, result: {} });
    if (method !== "open" || this.holds) return;
    const view = params.view ?? `v${++this.#views}`;
    this.say({ id, result: { view, screen: params.screen, viewModel: "", outputs: OUTPUTS[params.screen] } });
  }
}

/** Opens a session with a fake server, and a view of one of its screens. */
export async function fake(screen = "items", options = {}) {
  const server = new Fake();
  const app = await connect(server, options);
  const view = await app.open(screen);
  return { server, app, view };
}

/** Returns a function that returns random numbers from 0 to below `end`. The same seed yields the same numbers. */
export function random(seed) {
  return (end) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
}

/** Waits until everything that is due has run. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));
