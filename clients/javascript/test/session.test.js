import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import * as nagare from "../src/index.js";
import { Fake, fake, settle } from "./support.js";

const { connect } = nagare;

test("a session begins with the first request, and says what this client can do", async () => {
  const server = new Fake();
  const app = await connect(server, { client: { name: "mail", version: "2" }, sources: { mine: async () => ({ items: [] }) } });
  assert.deepEqual(server.sent, []);
  assert.equal(app.server, null);
  app.source("others", { page: async () => ({ items: [] }) });
  app.present({ confirm: () => true });
  await app.open("items", { pageSize: 3 }, { view: "v" });
  await app.open("items");
  assert.deepEqual(server.sent[0].params, {
    protocolVersion: "1",
    client: { name: "mail", version: "2" },
    capabilities: { deltas: true, windows: true, present: true, sources: ["mine", "others"] },
  });
  assert.deepEqual(server.sent[2].params, { screen: "items", view: "v", params: { pageSize: 3 } });
  assert.deepEqual(server.methods, ["open", "open"]);
  assert.equal(app.server.protocolVersion, "1");
});

test("who presents and who has pages can't be said too late", async () => {
  const { app } = await fake();
  assert.throws(() => app.source("mine", async () => ({ items: [] })), /source comes too late/);
  assert.throws(() => app.present(() => null), /present comes too late/);
});

test("a server of another version is no server", async () => {
  const server = new Fake();
  server.version = "2";
  const app = await connect(server);
  await assert.rejects(app.open("items").then(() => settle()).then(() => app.open("items")), /version 2 of the protocol/);
  assert.equal(app.state, "closed");
  assert.equal(server.closed, 1);
});

test("errors are told apart by class, code and data", async () => {
  const { app, server } = await fake();
  const classes = {
    [-32700]: "ParseError", [-32600]: "InvalidRequestError", [-32601]: "MethodNotFoundError", [-32602]: "InvalidParamsError",
    [-32603]: "InternalError", [-32800]: "CancelledError", [-32001]: "NoSuchViewError", [-32002]: "NoSuchScreenError",
    [-32003]: "ViewTakenError", [-32005]: "LimitPassedError", 503: "NagareError",
  };
  for (const [code, name] of Object.entries(classes)) {
    const failed = assert.rejects(app.request("ping"), (error) => {
      assert.equal(error.constructor, nagare[name]);
      assert.ok(error instanceof nagare.NagareError);
      assert.deepEqual({ ...error, name: error.name, message: error.message }, { code: +code, data: { max: 1 }, name, message: "no" });
      return true;
    });
    server.answer("ping", { error: { code: +code, message: "no", data: { max: 1 } } });
    await failed;
  }
});

test("a signal ends the waiting and tells the server", async () => {
  const { app, server, view } = await fake();
  const controller = new AbortController();
  const call = view.select({ id: "a" }, { signal: controller.signal });
  const { id } = server.sent.at(-1);
  controller.abort(new Error("enough"));
  await assert.rejects(call, /enough/);
  assert.deepEqual(server.sent.at(-1), { jsonrpc: "2.0", method: "$/cancelRequest", params: { id } });
  const count = server.sent.length;
  for (const ask of [() => app.open("items", {}, controller), () => app.request("ping", {}, controller), () => view.select({}, controller),
    () => app.dispatch("a", 1, controller), () => app.screens(controller), () => app.advance(1, controller), () => view.close(controller)]) {
    await assert.rejects(ask(), /enough/);
  }
  assert.equal(server.sent.length, count);
  server.say({ id, result: {} });
});

test("a signal that comes after the answer does nothing", async () => {
  const { app, server } = await fake();
  const controller = new AbortController();
  const ping = app.request("ping", {}, controller);
  server.answer("ping", { result: { ok: 1 } });
  assert.deepEqual(await ping, { ok: 1 });
  controller.abort();
  assert.equal(server.sent.at(-1).method, "ping");
});

test("a view that is opened after its opener has gone is closed", async () => {
  const { app, server } = await fake();
  server.holds = true;
  const controller = new AbortController();
  const opening = app.open("items", {}, controller);
  controller.abort();
  await assert.rejects(opening, { name: "AbortError" });
  server.answer("open", { result: { view: "late", screen: "items", outputs: {} } });
  assert.deepEqual(server.sent.at(-1), { jsonrpc: "2.0", method: "close", params: { view: "late" } });
  assert.equal(app.views.has("late"), false);
});

test("a lost connection rejects everyone who waits, and everyone who comes", async () => {
  const { app, server, view } = await fake();
  const values = view.values("items");
  await values.next();
  server.holds = true;
  const waiting = [app.request("ping"), view.select({ id: "a" }), app.open("items"), values.next(), view.until("navigate")];
  server.events.close(new Error("the dog ate it"));
  const gone = { name: "ConnectionClosedError", code: -32000, message: "the dog ate it" };
  for (const promise of waiting) await assert.rejects(promise, gone);
  for (const ask of [() => app.request("ping"), () => view.select({}), () => app.open("items"), () => view.until("navigate")]) {
    await assert.rejects(ask(), gone);
  }
  assert.equal(app.state, "closed");
  assert.equal(view.isOpen, false);
});

test("the state is told as it changes, with why", async () => {
  const server = new Fake();
  const app = new nagare.App(server, {});
  const told = [];
  app.addEventListener("state", ({ state, error }) => told.push([state, error?.message ?? null]));
  app.addEventListener("lost", ({ error }) => told.push(["lost", error.message]));
  await app.reconnect();
  server.events.close(new Error("cut"));
  await app.reconnect();
  await assert.rejects(app.reconnect(), /The connection is open/);
  await app.close();
  assert.deepEqual(told, [["connecting", null], ["open", null], ["closed", "cut"], ["lost", "cut"], ["connecting", null], ["open", null], ["closed", null]]);
});

test("reconnecting opens the views again, as the same objects", async () => {
  const { app, server, view } = await fake();
  const other = await app.open("offers", { pageSize: 2 });
  server.output("v1", "navigate", { value: { view: "d", screen: "detail", outputs: {} } });
  const detail = app.views.get("d");
  const closed = detail.until("closed");
  server.output("v1", "items", { value: [{ id: "a" }], revision: 4 });
  const seen = [];
  view.subscribe("items", (items) => seen.push(items.length));
  server.events.close(new Error("cut"));
  await assert.rejects(closed, /cut/);
  assert.deepEqual(view.items, [{ id: "a" }], "what was there can still be shown");
  const before = server.sent.length;
  assert.deepEqual(await app.reconnect(), [view, other]);
  const again = server.sent.slice(before).filter(({ method }) => method === "open").map(({ params }) => params);
  assert.deepEqual(again, [{ screen: "items", view: "v1", params: {} }, { screen: "offers", view: "v2", params: { pageSize: 2 } }]);
  server.output("v1", "items", { base: 0, revision: 1, count: 2, splices: [{ start: 0, deleteCount: 0, items: [1, 2] }] });
  assert.deepEqual(seen, [0, 2]);
  assert.deepEqual([view.isOpen, other.isOpen, detail.isOpen], [true, true, false]);
  await app.close();
  assert.deepEqual([view.isOpen, other.isOpen], [false, false]);
});

test("a connection that is lost while views are opened again leaves them for the next try", async () => {
  const { app, server, view } = await fake();
  server.events.close(new Error("cut"));
  server.holds = true;
  const trying = app.reconnect();
  await settle();
  server.events.close(new Error("cut once more"));
  await assert.rejects(trying, /cut once more/);
  server.holds = false;
  assert.deepEqual(await app.reconnect(), [view]);
});

test("a view that is closed while there is no connection isn't opened again", async () => {
  const { app, server, view } = await fake();
  const other = await app.open("offers");
  server.events.close(new Error("cut"));
  let ended = false;
  view.subscribe("closed", () => (ended = true));
  await assert.rejects(view.close(), /cut/);
  assert.ok(ended);
  assert.deepEqual(await app.reconnect(), [other]);
});

test("a view that the server closes is not open any more, whoever opened it, and isn't opened again", async () => {
  const { app, server, view } = await fake();
  const other = await app.open("offers");
  server.output("v1", "closed", { value: {} });
  assert.deepEqual([view.isOpen, [...app.views.keys()]], [false, ["v2"]]);
  view.send("viewWillAppear");
  for (const call of [() => view.viewWillAppear(), () => view.open("select", { id: "a" }), () => view.close()]) {
    await assert.rejects(call(), { name: "NoSuchViewError", message: "The view v1 was closed." });
  }
  assert.deepEqual(server.methods, ["open", "open"]);
  server.events.close(new Error("cut"));
  assert.deepEqual(await app.reconnect(), [other]);
});

test("a session that is closed has closed its views", async () => {
  const { app, server, view } = await fake();
  const values = view.values("items");
  await values.next();
  let ended = 0;
  view.subscribe("closed", () => (ended += 1));
  const [next] = await Promise.all([values.next(), app[Symbol.asyncDispose]()]);
  assert.deepEqual(next, { done: true, value: undefined });
  assert.equal(ended, 1);
  await assert.rejects(app.request("ping"), /The session was closed/);
  await app.close();
  assert.equal(server.closed, 1);
});

test("a signal given to connect ends the session, and one that has come keeps it from beginning", async () => {
  const server = new Fake();
  const controller = new AbortController();
  const app = await connect(server, controller);
  controller.abort();
  await settle();
  assert.equal(app.state, "closed");
  await assert.rejects(connect(server, controller), { name: "AbortError" });
  assert.equal(server.connections, 1);
});

test("a signal that lives longer keeps nothing of what has ended", async () => {
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, "abort").length;
  for (const end of ["close", "lost", "refused", "answered", "view"]) {
    const server = new Fake();
    if (end === "refused") server.open = async () => Promise.reject(new Error("nobody there"));
    const app = await connect(server, { signal }).catch(() => null);
    if (end === "refused") {
      assert.equal(listeners(), 0, end);
      continue;
    }
    assert.equal(listeners(), 1, end);
    const view = await app.open("items", {}, { signal });
    view.subscribe("loading", () => {}, { signal });
    if (end === "answered") {
      const call = view.viewWillAppear({}, { signal });
      server.answer("viewWillAppear", { result: { outcome: "finished" } });
      await call;
    }
    if (end === "view") await view.close({ signal });
    if (end === "lost") {
      server.events.close(new Error("lost"));
      await app.reconnect({ signal });
      assert.equal(listeners(), 2, "the session's, and that of the view that is open again");
      server.events.close(new Error("lost"));
      assert.equal(listeners(), 1);
      await view.close().catch(() => {});
    }
    await app.close();
    assert.equal(listeners(), 0, end);
  }
});

test("a signal given to connect that comes while there is no connection ends the session as well", async () => {
  const controller = new AbortController();
  const server = new Fake();
  const app = await connect(server, controller);
  const view = await app.open("items");
  let isClosed = false;
  view.subscribe("closed", () => (isClosed = true));
  server.events.close(new Error("lost"));
  controller.abort(new Error("enough"));
  await assert.rejects(app.reconnect(), /enough/);
  assert.deepEqual([isClosed, server.connections], [true, 1]);
});

test("what is no message is a warning, and the next one works", async () => {
  const { app, server, view } = await fake();
  const warnings = [];
  app.addEventListener("warning", ({ error }) => warnings.push(error.message));
  for (const text of ["motd", "7", "null", "{}", "[]", '{"id":99,"result":{}}', '{"jsonrpc":"2.0","method":"loading"}',
    '{"jsonrpc":"2.0","method":"$/progress","params":{}}', '{"jsonrpc":"2.0","method":"new","params":{"view":"v1","value":1}}']) {
    server.events.message(text);
  }
  server.say({ id: null, error: { code: -32700, message: "not JSON" } });
  server.output("v1", "loading", { value: true });
  assert.equal(view.loading, true);
  assert.deepEqual(warnings, ["The server wrote what is no message: motd", "not JSON"]);
});
