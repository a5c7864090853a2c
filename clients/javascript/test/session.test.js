import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import * as nagare from "../src/index.js";
import { Fake, fake, settle } from "./support.js";

const { connect } = nagare;

test("the first request sends initialize with the client's capabilities", async () => {
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

test("presenters and sources can't be set after the first request", async () => {
  const { app } = await fake();
  assert.throws(() => app.source("mine", async () => ({ items: [] })), /source was called too late/);
  assert.throws(() => app.present(() => null), /present was called too late/);
});

test("a server with another protocol version closes the session", async () => {
  const server = new Fake();
  server.version = "2";
  const app = await connect(server);
  await assert.rejects(app.open("items").then(() => settle()).then(() => app.open("items")), /version 2 of the protocol/);
  assert.equal(app.state, "closed");
  assert.equal(server.closed, 1);
});

test("each error code has its class", async () => {
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

test("a signal rejects a request and cancels it on the server", async () => {
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

test("a view that opens after its request was aborted is closed", async () => {
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

test("a lost connection rejects pending and later requests", async () => {
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

test("each change of the state is reported with its reason", async () => {
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

test("reconnecting reopens the views as the same objects", async () => {
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

test("if the connection is lost while views reopen, the next attempt reopens them", async () => {
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

test("a view that is closed while disconnected isn't reopened", async () => {
  const { app, server, view } = await fake();
  const other = await app.open("offers");
  server.events.close(new Error("cut"));
  let ended = false;
  view.subscribe("closed", () => (ended = true));
  await assert.rejects(view.close(), /cut/);
  assert.ok(ended);
  assert.deepEqual(await app.reconnect(), [other]);
});

test("a view that the server closes has ended and isn't reopened", async () => {
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

test("closing a session closes its views", async () => {
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

test("the signal of connect closes the session, and an aborted signal prevents it", async () => {
  const server = new Fake();
  const controller = new AbortController();
  const app = await connect(server, controller);
  controller.abort();
  await settle();
  assert.equal(app.state, "closed");
  await assert.rejects(connect(server, controller), { name: "AbortError" });
  assert.equal(server.connections, 1);
});

test("a signal keeps no listeners of ended sessions, views and requests", async () => {
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

test("the signal of connect closes a session without a connection, too", async () => {
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

test("an invalid message is a warning, and the next message is handled", async () => {
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
  assert.deepEqual(warnings, ["The server sent an invalid message: motd", "not JSON"]);
});
