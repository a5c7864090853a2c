import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connect, ConnectionClosedError, SourceError } from "../src/index.js";
import { lines } from "../src/lines.js";
import { stdio } from "../src/stdio.js";
import { HERE, NAGARE, VIRTUAL } from "./support.js";

const SLOW = [process.execPath, `${HERE}test/slow-pipe.js`, ...VIRTUAL];

/** Writes a configuration to a folder that is removed after the test, and returns the options that select it. */
async function configured(t, configuration) {
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "nagare.json"), JSON.stringify(configuration));
  return ["--config", join(folder, "nagare.json")];
}

/** Uses the demo's mailbox: its list, pager and tasks. */
async function story(transport) {
  const app = await connect(transport, { present: { prompt: (task) => `${task.title}: Mei`, pickImage: () => null } });
  try {
    const inbox = await app.open("items", { pageSize: 10 });
    const appearing = inbox.viewWillAppear();
    await app.request("ping");
    assert.equal(inbox.loading, true);
    await app.advance(300);
    assert.equal(await appearing, "finished");
    assert.equal(inbox.items.length, 10);
    inbox.reachBottom.send();
    await app.advance(1000);
    const detail = await inbox.select.open({ id: "m020" });
    assert.deepEqual([detail.screen, detail.page.index, detail.page.hasMore], ["detail", 19, true]);
    await app.advance(300);
    await detail.swipe({ to: "next" });
    assert.equal(detail.page.id, "m021");
    await inbox.change({ item: { id: "m001", subject: "changed" } });
    await inbox.remove({ id: "m002" });
    assert.deepEqual(inbox.items.slice(0, 2).map(({ id, subject }) => (subject === "changed" ? subject : id)), ["changed", "m003"]);
    const { outputs } = await app.request("outputs", { view: inbox.view });
    assert.deepEqual(inbox.items, outputs.items.value);
    const profile = await app.open("profile");
    const [name] = await Promise.all([profile.until("name", (name) => name !== null), profile.rename()]);
    assert.equal(name, "New name: Mei");
    await profile.pickImage();
    const wrong = await inbox.select({ id: "nothing" }).catch((error) => error);
    if (wrong instanceof ConnectionClosedError) throw wrong;
    assert.deepEqual([wrong.name, wrong.data.param], ["InvalidParamsError", "id"]);
    await inbox.close();
    assert.equal(detail.isOpen, false);
    assert.deepEqual([...app.views.keys()], [profile.view]);
  } finally {
    await app.close();
  }
}

/** Returns a transport that calls `happens` after each message of the server with the number of messages so far. */
function counting(transport, happens) {
  let count = 0;
  let over = false;
  return {
    async open(events, options) {
      let link = null;
      const take = (text) => {
        if (over) return;
        events.message(text);
        over = happens((count += 1), link) === true;
      };
      return (link = await transport.open({ ...events, message: take }, options));
    },
  };
}

test("a mailbox can be opened, paged, read, changed and closed", () => story(stdio(VIRTUAL)));

test("a mailbox works over a pipe that forwards a few bytes at a time", () => story(stdio(SLOW)));

test("a server that is killed at any message rejects all pending requests", { timeout: 60_000 }, async () => {
  let messages = 0;
  await story(counting(stdio(VIRTUAL), (count) => (messages = count)));
  assert.ok(messages > 25, `${messages}`);
  // The last message answers `shutdown`, and no request is pending after the one before it.
  for (let last = 1; last < messages - 1; last += 1) {
    const transport = counting(stdio(VIRTUAL), (count, link) => count === last && process.kill(link.pid, "SIGKILL"));
    await assert.rejects(story(transport), { name: "ConnectionClosedError", message: /was ended by SIGKILL/ }, `after message ${last}`);
  }
});

test("reconnecting restarts a crashed server and reopens the views", async () => {
  let link;
  const app = await connect(counting(stdio(VIRTUAL), (_, current) => (link = current)));
  const inbox = await app.open("items", { pageSize: 3 });
  inbox.viewWillAppear();
  await app.advance(300);
  const lost = new Promise((resolve) => app.addEventListener("state", resolve, { once: true }));
  process.kill(link.pid, "SIGKILL");
  assert.match((await lost).error.message, /nagare was ended by SIGKILL/);
  for (const view of await app.reconnect()) await view.viewWillAppear.open();
  assert.deepEqual([inbox.items.length, inbox.state.phase], [0, "requesting"]);
  await app.advance(300);
  assert.equal(inbox.items.length, 3);
  await app.close();
});

test("a missing program is reported at once", async () => {
  await assert.rejects(connect(stdio(["./no-such-program"])), {
    name: "ConnectionClosedError",
    message: "./no-such-program can't be started: spawn ./no-such-program ENOENT",
  });
});

test("the error for a program that isn't in the path contains a hint", async () => {
  await assert.rejects(connect(stdio(["no-such-program"])), {
    name: "ConnectionClosedError",
    message: "no-such-program can't be started: spawn no-such-program ENOENT. Is it in PATH? Name it by its path otherwise.",
  });
});

test("the error for an invalid command or transport contains a hint", async () => {
  const list = { name: "TypeError", message: 'stdio takes the program and its arguments as a list: stdio(["nagare"]).' };
  for (const command of ["nagare", [], undefined]) assert.throws(() => stdio(command), list);
  const way = { name: "TypeError", message: 'connect needs a transport: connect(stdio(["nagare"])), or connect(websocket("ws://localhost:8080")).' };
  for (const transport of [["nagare"], "nagare", undefined]) await assert.rejects(connect(transport), way);
});

test("the reason of a crash is reported even if a backtrace follows", async () => {
  const program = 'console.error("Main.swift:7: Precondition failed: no account"); for (let i = 0; i < 1000; i++) console.error(i + " main"); process.exitCode = 1;';
  await assert.rejects(async () => (await connect(stdio([process.execPath, "-e", program]))).open("items"), /Precondition failed: no account/);
});

test("the error of a server that ended contains its last log line", async () => {
  const log = [];
  const app = await connect(stdio([NAGARE, "--config", "/no/such.json"], { log: (line) => log.push(line) }));
  await assert.rejects(app.open("items"), /nagare ended with status \d+: .*such\.json/);
  assert.equal(log.length > 0, true);
  await app.close();
});

test("only the beginning of an endless log line is kept", async () => {
  const kept = [];
  const cut = lines((line) => kept.push(line), 10);
  const piece = "x".repeat(1_000_000);
  const used = () => {
    globalThis.gc();
    return process.memoryUsage().heapUsed;
  };
  setFlagsFromString("--expose-gc");
  globalThis.gc ??= runInNewContext("gc");
  const before = used();
  for (let count = 0; count < 1000; count += 1) cut(`${count}${piece}`.slice(1));
  assert.ok(used() - before < 100_000_000);
  cut("\n0123456789\n01234567890\n");
  assert.deepEqual(kept, ["xxxxxxxxxx…", "0123456789", "0123456789…"]);
  const log = [];
  const app = await connect(stdio(["sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x >&2; echo >&2; read line; exit 1"], { log: (line) => log.push(line.length) }));
  await assert.rejects(app.request("ping"), (error) => error.message.length < 66_000);
  assert.deepEqual(log, [65_537]);
});

test("an exception of the log function is a warning", async () => {
  const app = await connect(stdio(["sh", "-c", "read line; echo one >&2; read line"], { log: (line) => { throw new Error(line); } }));
  const warned = new Promise((resolve) => app.addEventListener("warning", ({ error }) => resolve(error.message)));
  const ping = app.request("ping");
  assert.equal(await warned, "one");
  await app.close();
  await assert.rejects(ping);
});

test("a server that doesn't end is killed after `patience` milliseconds", async () => {
  const app = await connect(stdio([process.execPath, "-e", "setInterval(() => {}, 1000)"], { patience: 50 }));
  const waiting = assert.rejects(app.request("ping"), /The session was closed/);
  await app.close();
  await waiting;
});

test("a server that closes its output is ended", async () => {
  const app = await connect(stdio([process.execPath, "-e", "process.stdout.end(); fs.closeSync(1); setInterval(() => {}, 1000)"], { patience: 50 }));
  await assert.rejects(app.request("ping"), /was ended by SIGTERM/);
});

test("aborting while the server starts ends it", async () => {
  const controller = new AbortController();
  const connecting = connect(stdio(VIRTUAL), controller);
  controller.abort(new Error("enough"));
  await assert.rejects(connecting, /enough/);
});

test("a session can be closed while the server starts", async () => {
  const { App } = await import("../src/index.js");
  const app = new App(stdio(VIRTUAL), {});
  const connecting = app.reconnect();
  await app.close();
  await assert.rejects(connecting, /The session was closed/);
  assert.equal(app.state, "closed");
});

test("a client's source returns pages, makes edits and reports errors", async (t) => {
  const options = await configured(t, {
    sources: { mine: { type: "client", writes: ["insert", "remove"] } },
    screens: { rows: { viewModel: "list", source: "mine", pageSize: 2, throttle: 0 } },
  });
  const rows = [1, 2, 3].map((id) => ({ id }));
  const edits = [];
  const app = await connect(stdio([...VIRTUAL, ...options]));
  app.source("mine", {
    page: async ({ key, size }) => {
      if (key === 4) throw new SourceError("No more.", { code: 7 });
      const first = key ?? 0;
      return { items: rows.slice(first, first + size), next: first + size, total: rows.length };
    },
    insert: ({ item, before }) => void edits.push([item.id, before]),
    remove: () => { throw new SourceError("locked", { code: 9 }); },
  });
  const list = await app.open("rows");
  list.viewWillAppear();
  await list.until("items", (items) => items.length === 2);
  list.loadMore();
  await list.until("items", (items) => items.length === 3);
  list.loadMore();
  const failure = await list.until("error", (error) => error !== null);
  assert.deepEqual([failure.code, failure.message, failure.retryable, failure.trigger], [7, "No more.", false, "loadMore"]);
  assert.equal(await list.insert({ item: { id: 0 }, before: 1 }), "finished");
  assert.equal(await list.remove({ id: 2 }), "failed");
  assert.equal(list.error.code, 9);
  assert.deepEqual(list.items.map(({ id }) => id), [0, 1, 2, 3]);
  assert.deepEqual(edits, [[0, 1]]);
  await app.close();
});

test("lists are the same with and without splices", async () => {
  const whole = await connect(stdio(VIRTUAL), { deltas: false });
  const spliced = await connect(stdio(VIRTUAL));
  const items = [];
  for (const app of [whole, spliced]) {
    const inbox = await app.open("items", { pageSize: 50 });
    inbox.viewWillAppear();
    await app.advance(300);
    inbox.loadMore();
    await app.advance(300);
    await inbox.remove({ id: "m060" });
    items.push(inbox.items);
    await app.close();
  }
  assert.equal(items[0].length, 99);
  assert.deepEqual(items[0], items[1]);
});

test("iterating over the state of a list yields each page", async () => {
  const app = await connect(stdio(VIRTUAL));
  const inbox = await app.open("items", { pageSize: 100, throttle: 0 });
  inbox.viewWillAppear();
  app.advance(300);
  const counts = [];
  for await (const { phase, count } of inbox.values("state", { every: true })) {
    if (phase === "requesting" || phase === "nothing") continue;
    counts.push(count);
    if (phase === "reachedBottom") break;
    inbox.loadMore();
    app.advance(300);
  }
  assert.deepEqual(counts, [100, 200, 300, 320]);
  assert.equal(new Set(inbox.items.map(({ id }) => id)).size, 320);
  await app.close();
});
