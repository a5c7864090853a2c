import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { once } from "node:events";
import test from "node:test";
import { App, connect, websocket } from "../src/index.js";
import { HERE, ROOT, VIRTUAL } from "./support.js";

/** A WebSocket whose other side is the test. */
class Socket extends EventTarget {
  static OPEN = 1;
  static last;
  readyState = 0;
  sent = [];

  constructor(url, protocols) {
    super();
    Object.assign(this, { url, protocols });
    Socket.last = this;
  }

  send(text) {
    this.sent.push(text);
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  say(data) {
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }

  close(code, reason = "") {
    this.readyState = 3;
    queueMicrotask(() => this.dispatchEvent(Object.assign(new Event("close"), { code: code ?? 1005, reason })));
  }
}

async function opened(url = "ws://host/path?token=secret#x") {
  const connecting = connect(websocket(url, { WebSocket: Socket, protocols: "nagare" }));
  Socket.last.open();
  return { app: await connecting, socket: Socket.last };
}

test("each protocol message is one WebSocket message", async () => {
  const { app, socket } = await opened();
  assert.deepEqual([socket.url, socket.protocols], ["ws://host/path?token=secret#x", "nagare"]);
  const ping = app.request("ping");
  assert.deepEqual(socket.sent.map((text) => JSON.parse(text).method), ["initialize", "screens", "ping"]);
  socket.say('{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1","capabilities":{}}}');
  socket.say('{"jsonrpc":"2.0","id":2,"result":{"screens":[]}}');
  socket.say('{"jsonrpc":"2.0","id":3,"result":{"pong":1}}');
  assert.deepEqual(await ping, { pong: 1 });
});

test("a binary message is read as UTF-8, and an invalid one is a warning", async () => {
  const { app, socket } = await opened();
  const warnings = [];
  app.addEventListener("warning", ({ error }) => warnings.push(error.name));
  const ping = app.request("ping");
  assert.equal(socket.binaryType, "arraybuffer");
  socket.say(new ArrayBuffer(1));
  socket.say(new TextEncoder().encode('{"jsonrpc":"2.0","id":3,"result":{"pong":"é"}}').buffer);
  assert.deepEqual([await ping, warnings], [{ pong: "é" }, ["ParseError"]]);
});

test("a closed session leaves no timer", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const { app } = await opened();
  app.request("ping");
  await app.close();
  assert.equal(timers(), before);
});

test("closing a session while it connects ends the attempt", async () => {
  const app = new App(websocket("ws://host", { WebSocket: Socket }));
  const connecting = app.reconnect();
  await app.close();
  await assert.rejects(connecting, { name: "ConnectionClosedError", message: "The session was closed." });
  assert.deepEqual([app.state, Socket.last.readyState], ["closed", 3]);
});

test("closing ends even if the other side doesn't answer, and so does Node", async (t) => {
  const silent = createServer((socket) => {
    t.after(() => socket.destroy());
    socket.on("error", () => {});
    socket.once("data", (head) => {
      const [, key] = /^Sec-WebSocket-Key: (.*)\r$/im.exec(head);
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`, "", ""].join("\r\n"));
    });
  }).listen(0, "127.0.0.1");
  t.after(() => silent.close());
  await once(silent, "listening");
  const program = spawn(process.execPath, ["--experimental-websocket", `${HERE}test/unanswered.js`, silent.address().port]);
  t.after(() => program.kill("SIGKILL"));
  let printed = "";
  program.stdout.on("data", (piece) => (printed += piece));
  assert.deepEqual(await once(program, "close"), [0, null]);
  assert.equal(printed, "closed\n");
});

test("a closed socket rejects pending requests, and the error doesn't contain the URL's query", async () => {
  const { app, socket } = await opened();
  const ping = app.request("ping");
  socket.close(1011, "out of memory");
  await assert.rejects(ping, { name: "ConnectionClosedError", message: "The connection to ws://host/path was closed (code 1011, out of memory)." });
  const { length } = socket.sent;
  await assert.rejects(app.request("ping"));
  assert.equal(socket.sent.length, length);
});

test("closing a session reports no error", async () => {
  const { app } = await opened();
  const states = [];
  app.addEventListener("state", ({ state, error }) => states.push([state, error]));
  await app.close();
  assert.deepEqual(states, [["closed", null]]);
});

test("connecting fails if the socket closes, is aborted or doesn't exist", async () => {
  const connecting = connect(websocket("ws://host", { WebSocket: Socket }));
  Socket.last.close(1006);
  await assert.rejects(connecting, { name: "ConnectionClosedError", message: "No connection to ws://host (code 1006)." });
  const controller = new AbortController();
  const aborted = connect(websocket("ws://host", { WebSocket: Socket }), controller);
  controller.abort(new Error("enough"));
  await assert.rejects(aborted, /enough/);
  assert.equal(Socket.last.readyState, 3);
  await assert.rejects(connect(websocket("ws://host", { WebSocket: null })), /There is no WebSocket here/);
});

/** Starts websocketd with nagare: the program in the environment variable WEBSOCKETD, or Debian's. */
async function websocketd(t, port) {
  const program = process.env.WEBSOCKETD ?? `${ROOT}.build/debian/usr/bin/websocketd`;
  if (!existsSync(program)) execFileSync(`${HERE}../fetch-debian`, ["websocketd"]);
  assert.ok(existsSync(program), "websocketd is missing: name it in the environment's WEBSOCKETD");
  const child = spawn(program, [`--port=${port}`, "--address=127.0.0.1", ...VIRTUAL], { stdio: "ignore" });
  t.after(() => child.kill("SIGKILL"));
  while (!(await listens(port))) assert.equal(child.exitCode, null, "websocketd has ended");
  return child;
}

async function listens(port) {
  const socket = createConnection(port, "127.0.0.1");
  const found = await Promise.race([once(socket, "connect").then(() => true), once(socket, "close").then(() => false)]).catch(() => false);
  socket.destroy();
  if (!found) await new Promise((resolve) => setTimeout(resolve, 20));
  return found;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

test("a session through websocketd works, and reconnects after it was lost", { timeout: 30_000 }, async (t) => {
  assert.ok(globalThis.WebSocket, "Node 20 needs --experimental-websocket");
  const port = await freePort();
  const first = await websocketd(t, port);
  const app = await connect(websocket(`ws://127.0.0.1:${port}/`));
  const inbox = await app.open("items", { pageSize: 4 });
  inbox.viewWillAppear();
  await app.advance(300);
  assert.equal(inbox.items.length, 4);
  const lost = once(app, "lost");
  first.kill("SIGKILL");
  await assert.rejects(inbox.until("navigate"), { name: "ConnectionClosedError" });
  await lost;
  await assert.rejects(app.reconnect(), { name: "ConnectionClosedError" });
  await websocketd(t, port);
  assert.deepEqual(await app.reconnect(), [inbox]);
  inbox.viewWillAppear();
  await app.advance(300);
  const detail = await inbox.select.open({ id: "m003" });
  assert.deepEqual([inbox.items.length, detail.page.index], [4, 2]);
  await app.close();
  assert.equal(app.state, "closed");
});
