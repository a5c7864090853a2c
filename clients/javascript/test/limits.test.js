// Messages that exceed the server's limits fail at once, and the session continues.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { connect, LimitPassedError, SourceError } from "../src/index.js";
import { limitError } from "../src/limits.js";
import { stdio } from "../src/stdio.js";
import { Fake, fake, random, VIRTUAL } from "./support.js";

const CONFIG = {
  sources: { mine: { type: "client", live: true, items: true, writes: ["change"] } },
  screens: { rows: { viewModel: "list", source: "mine", throttle: 0, detail: "row" }, row: { viewModel: "pager", source: "mine" } },
};
const LIMITS = ["--max-message-size", "2000", "--max-depth", "20"];

const nested = (depth) => (depth === 0 ? 7 : depth % 2 ? [nested(depth - 1)] : { a: nested(depth - 1) });
const deep = (depth) => Array.from({ length: depth }).reduce((inner) => [inner], 7);

async function limited(t, source) {
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "nagare.json"), JSON.stringify(CONFIG));
  const app = await connect(stdio([...VIRTUAL, "--config", join(folder, "nagare.json"), ...LIMITS]), { sources: { mine: source } });
  t.after(() => app.close());
  return app;
}

test("the depth of a text of any length can be checked", () => {
  const limits = { messageSize: 1 << 25, depth: 2 };
  const long = "[\"\\".repeat(4_000_000);
  assert.equal(limitError(JSON.stringify([long]), limits), null);
  assert.match(limitError(JSON.stringify([long, [[]]]), limits).message, /deeper than 2/);
});

test("a request that exceeds a limit fails at once", async (t) => {
  const app = await limited(t, () => ({ items: [{ id: 1 }] }));
  // This request is sent before the server has reported its limits.
  await assert.rejects(app.request("ping", { fill: "x".repeat(3000) }), { name: "LimitPassedError", data: { limit: "messageSize", max: 2000, message: 3 } });
  assert.equal(app.server.limits.depth, 20);
  const rows = await app.open("rows");
  for (const [value, data] of [
    ["x".repeat(2000), { limit: "messageSize", max: 2000 }],
    ["流".repeat(700), { limit: "messageSize", max: 2000 }],
    [nested(30), { limit: "depth", max: 20 }],
    [deep(100_000), { limit: "depth", max: 20 }],
  ]) {
    const item = { id: 1, value };
    for (const call of [() => rows.change({ item }), () => app.dispatch("a", value), () => app.open("rows", { query: value })]) {
      await assert.rejects(call(), { name: "LimitPassedError", data, message: /start the server with a higher --max-/ });
    }
    assert.throws(() => rows.change.send({ item }), LimitPassedError);
  }
  await app.request("ping");
});

test("a message of exactly the maximum size or depth is sent", async (t) => {
  const app = await limited(t, () => ({ items: [] }));
  await app.request("ping");
  const around = '{"jsonrpc":"2.0","id":4,"method":"ping","params":{"fill":""}}'.length;
  await app.request("ping", { fill: "x".repeat(2000 - around) });
  await assert.rejects(app.request("ping", { fill: "x".repeat(2001 - around) }), LimitPassedError);
  await app.request("ping", { fill: nested(18) });
  await assert.rejects(app.request("ping", { fill: nested(19) }), LimitPassedError);
});

for (const [what, value] of [["size", "x".repeat(2000)], ["depth", nested(30)]]) {
  test(`an answer that exceeds a limit is replaced by an error: ${what}`, async (t) => {
    const app = await limited(t, {
      page: ({ query }) => ({ items: [query === null ? { id: 1, value } : { id: 1 }] }),
      item: ({ id }) => ({ id, value }),
      change: () => { throw new SourceError("x".repeat(3000), { code: 7 }); },
      watch: () => {},
    });
    const warnings = [];
    app.addEventListener("warning", ({ error }) => warnings.push(error.name));
    const rows = await app.open("rows");
    assert.equal(await rows.viewWillAppear(), "failed");
    assert.equal(rows.error.code, -32005);
    assert.match(rows.error.message, /the server reads/);
    const good = await app.open("rows", { query: "a" });
    assert.equal(await good.viewWillAppear(), "finished");
    assert.equal(await good.change({ item: { id: 1, a: 1 } }), "failed");
    assert.equal(good.error.code, -32005);
    const pager = await good.select.open({ id: 1 });
    assert.equal((await pager.until("error", (error) => error !== null)).code, -32005);
    assert.deepEqual(warnings.slice(0, 1), ["LimitPassedError"]);
  });

  test(`a change that exceeds a limit makes the list reload: ${what}`, async (t) => {
    const rows = [{ id: 1 }];
    let tell;
    const app = await limited(t, { page: () => ({ items: rows }), watch: (_, { changed }) => void (tell = changed) });
    const view = await app.open("rows");
    await view.viewWillAppear();
    rows[0] = { id: 1, short: true };
    tell([{ change: { id: 1, value } }]);
    await view.until("items", (items) => items[0].short);
    tell([{ insert: { id: 2 } }]);
    await view.until("items", (items) => items.length === 2);
  });
}

test("if the server can't read a message, the request with its number fails", async () => {
  const { app, server } = await fake();
  const [first, second] = [app.request("ping"), app.request("ping")];
  const warnings = [];
  app.addEventListener("warning", ({ error }) => warnings.push(error.message));
  // `initialize`, `screens` and `open` came before.
  assert.equal(server.sent.length, 5);
  const failed = assert.rejects(second, { name: "ParseError", data: { offset: 9, message: 5 } });
  server.say({ id: null, error: { code: -32700, message: "too deep", data: { offset: 9, message: 5 } } });
  await failed;
  for (const data of [undefined, null, {}, { message: 3 }, { message: 99 }, { message: "4" }, [4]]) {
    server.say({ id: null, error: { code: -32005, message: "no", data } });
  }
  assert.equal(warnings.length, 7);
  server.say({ id: server.sent[3].id, result: { a: 1 } });
  assert.deepEqual(await first, { a: 1 });
});

test("message numbers count notifications and answers, too", async () => {
  const server = new Fake();
  const app = await connect(server, { sources: { mine: () => ({ items: [] }) } });
  await app.open("items");
  server.say({ id: "p", method: "source/page", params: { source: "mine" } });
  app.sendAction("a");
  await new Promise(setImmediate);
  const pinged = assert.rejects(app.request("ping"), /too large/);
  server.say({ id: null, error: { code: -32005, message: "too large", data: { message: server.sent.length } } });
  await pinged;
});

test("the depth of a text is that of its value", () => {
  const below = random(7);
  const value = (depth) => {
    if (depth === 0 || below(5) === 0) return [["[{", '"]\\"[', 7, null, "\\", "}".repeat(9)][below(6)], 0];
    const inner = Array.from({ length: below(4) }, () => value(depth - 1));
    const deepest = 1 + Math.max(0, ...inner.map(([, depth]) => depth));
    const values = inner.map(([value]) => value);
    return [below(2) ? values : Object.fromEntries(values.map((one, index) => [`[{"\\${index}`, one])), deepest];
  };
  for (let round = 0; round < 500; round += 1) {
    const [one, depth] = value(6);
    const text = `${JSON.stringify(one)}${" ".repeat(20)}`;
    assert.equal(limitError(text, { messageSize: 1 << 20, depth }), null);
    if (depth > 0) assert.equal(limitError(text, { messageSize: 1 << 20, depth: depth - 1 })?.data.limit, "depth");
  }
});
