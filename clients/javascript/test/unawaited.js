// Calls every method of sessions and views without awaiting it, then ends the session, connection, view or waiting that the calls
// depend on: `unawaited.js closed|lost|view|signal`.
// `--unhandled-rejections=strict` makes each rejection that isn't handled an exception.

import { App, connect, parse, ViewBase } from "../src/index.js";
import { Fake, settle } from "./support.js";

/** A call of each method; null for methods that return no promise. */
const APP = {
  present: null,
  source: null,
  open: (app, options) => app.open("items", {}, options),
  dispatch: (app, options) => app.dispatch("type", 1, options),
  sendAction: (app) => app.sendAction("type"),
  screens: (app, options) => app.screens(options),
  advance: (app, options) => app.advance(1, options),
  request: (app, options) => app.request("wait", {}, options),
  reconnect: (app, options) => app.state === "closed" && app.reconnect(options),
  close: (app) => app.state === "closed" && app.close(),
};
const VIEW = {
  value: null,
  subscribe: null,
  store: null,
  call: (view, options) => view.call("viewWillAppear", {}, options),
  open: (view, options) => view.open("select", { id: 1 }, options),
  send: (view) => view.send("viewWillAppear"),
  values: (view, options) => view.values("items", { ...options, every: true }).next() && view.values("navigate", options).next(),
  until: (view, options) => view.until("navigate", undefined, options) && view.until("items", () => false, options),
  close: (view, options) => !view.isOpen && view.close(options),
};

for (const [{ prototype }, calls] of [[App, APP], [ViewBase, VIEW]]) {
  const methods = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(([name, { value }]) => value && name !== "constructor");
  const left = methods.map(([name]) => name).filter((name) => !(name in calls));
  if (left.length > 0) throw new Error(`These methods aren't called: ${left.join(", ")}.`);
}

class Silent extends Fake {
  isReachable = true;
  /** Whether the server answers nothing. */
  isMute = false;

  async open(events) {
    if (!this.isReachable) throw new Error("nobody there");
    const link = await super.open(events);
    const record = (text) => void this.sent.push(parse(text));
    return { ...link, send: (text) => (this.isMute ? record(text) : link.send(text)) };
  }
}

const [, , end] = process.argv;
const server = new Silent();
const app = await connect(server);
const view = await app.open("items");
const controller = new AbortController();
const callAll = (options = { signal: controller.signal }) => {
  for (const call of Object.values(APP)) call?.(app, options);
  for (const call of Object.values(VIEW)) call?.(view, options);
};
server.isMute = end !== "closed";
callAll();
server.isReachable = false;
if (end === "closed") await app.close();
if (end === "lost") server.events.close(new Error("lost"));
if (end === "view") server.output("v1", "closed", {});
// The server rejects inputs to a view that was closed meanwhile.
if (end === "view") server.answer("wait", { error: { code: -32001, message: "No such view." } });
if (end === "signal") controller.abort();
await settle();
callAll();
await settle();
callAll({});
await settle();
console.log("still there");
