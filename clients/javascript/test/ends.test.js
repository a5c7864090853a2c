// How a server that was started comes to its end, in virtual time, whoever holds its streams open.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { connect } from "../src/index.js";
import { stdio } from "../src/stdio.js";
import { ROOT, settle } from "./support.js";

const ENDING = `${ROOT}clients/behaviour/ending.py`;
const STREAMS = ["stdin", "stdout", "stderr"];
const PATIENCE = 10_000;

/** A session with a server that writes what it gets. */
async function ending(t, shutdown, end, held = [], { isVirtual = true } = {}) {
  if (isVirtual) t.mock.timers.enable({ apis: ["setTimeout"] });
  const folder = await mkdtemp(join(tmpdir(), "nagare-"));
  t.after(() => rm(folder, { recursive: true }));
  const fifo = join(folder, "record");
  execFileSync("mkfifo", [fifo]);
  // Open for both, so that opening doesn't wait; the writing end is closed when the server has its own.
  const both = await open(fifo, "r+");
  const lines = createInterface({ input: createReadStream(fifo) })[Symbol.asyncIterator]();
  const app = await connect(stdio(["python3", "-S", ENDING, fifo, shutdown, end, ...held], { patience: PATIENCE }));
  await app.request("ping");
  await both.close();
  if (held.length > 0) {
    const holder = Number((await lines.next()).value.split(" ")[1]);
    t.after(() => process.kill(holder, "SIGKILL"));
  }
  return {
    app,
    async gets(...expected) {
      for (const line of expected) assert.equal((await lines.next()).value, line);
    },
    /** Nothing is left in its session. */
    async isGone() {
      assert.equal((await lines.next()).done, true);
    },
    async move(milliseconds) {
      await settle();
      t.mock.timers.tick(milliseconds);
    },
  };
}

for (const shutdown of ["answers", "ignores"]) {
  for (const end of ["exit", "input", "SIGTERM", "SIGKILL"]) {
    for (const held of [[], STREAMS]) {
      test(`a server that ${shutdown} shutdown and ends at ${end} is ended, ${held} held`, async (t) => {
        const server = await ending(t, shutdown, end, held);
        const pending = assert.rejects(server.app.request("wait"), /The session was closed/);
        await server.gets("wait");
        const closing = server.app.close();
        await server.gets("shutdown");
        if (shutdown === "ignores") await server.move(PATIENCE / 2);
        await server.gets("exit");
        await pending;
        if (end !== "exit") await server.gets("end of input");
        if (end.startsWith("SIG")) {
          await server.move(shutdown === "ignores" ? PATIENCE / 2 : PATIENCE);
          await server.gets("SIGTERM");
        }
        if (end === "SIGKILL") await server.move(PATIENCE);
        await Promise.all([closing, server.app.close()]);
        assert.equal(server.app.state, "closed");
        await server.isGone();
        await assert.rejects(server.app.request("ping"), /The session was closed/);
      });
    }
  }
}

for (const held of STREAMS) {
  test(`${held} that is held delays no end`, async (t) => {
    const server = await ending(t, "answers", "exit", [held]);
    const closing = server.app.close();
    await server.gets("shutdown", "exit");
    await closing;
    await server.isGone();
  });
}

for (const held of [[], ["stdout"], STREAMS]) {
  test(`a death is noticed at once, and what was written before is read, ${held} held`, async (t) => {
    const server = await ending(t, "answers", "exit", held);
    const lost = new Promise((resolve) => server.app.addEventListener("lost", resolve, { once: true }));
    const waiting = server.app.request("wait");
    await server.gets("wait");
    await assert.rejects(server.app.request("die"), /python3 ended with status 3/);
    assert.deepEqual(await waiting, { now: 7 });
    await lost;
    await assert.rejects(server.app.request("ping"), /python3 ended with status 3/);
    await server.app.close();
    await server.isGone();
  });
}

const WAYS = {
  close: [],
  exit: ["python3 ended with status 0"],
  leave: ["python3 ended with status 0"],
  die: ["python3 ended with status 3"],
  abort: [],
  opening: ["This operation was aborted"],
};
for (const [way, error] of Object.entries(WAYS)) {
  test(`nothing keeps a process alive after its session, though others hold the server's streams: ${way}`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "nagare-"));
    t.after(() => rm(folder, { recursive: true }));
    const fifo = join(folder, "record");
    execFileSync("mkfifo", [fifo]);
    // The server records its steps where somebody can read them later.
    const record = await open(fifo, "r+");
    t.after(() => record.close());
    const server = ["python3", "-S", ENDING, fifo, "answers", "exit", "session", ...STREAMS];
    const child = spawn(process.execPath, [`${ROOT}clients/javascript/test/held.js`, way, ...server], { stdio: ["ignore", "pipe", "inherit"] });
    t.after(() => child.kill("SIGKILL"));
    const ended = once(child, "exit");
    const written = [];
    for await (const line of createInterface({ input: child.stdout })) {
      written.push(line);
      if (line.startsWith("[")) break;
    }
    // A server that is killed while it starts has left no process.
    const isHeld = way !== "opening";
    const { buffer, bytesRead } = isHeld ? await record.read() : { buffer: Buffer.of(), bytesRead: 0 };
    const holder = Number(/^holder (\d+)$/m.exec(buffer.toString("latin1", 0, bytesRead))?.[1]);
    if (isHeld) t.after(() => process.kill(holder, "SIGKILL"));
    const [before, after] = JSON.parse(written.at(-1));
    assert.deepEqual(after, before);
    assert.deepEqual(written.slice(1, -1), error);
    assert.deepEqual(await ended, [0, null]);
    // The process that holds the streams lives longer: this would throw.
    if (isHeld) process.kill(holder, 0);
  });
}

test("what another program writes for ever delays no end", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  // Another session's program tells its process id, and fills the pipe for ever; the server ends at a line.
  const endless = 'setsid sh -c \'echo "{\\"pid\\":$$}"; exec yes "{}"\' & read line';
  let pid;
  const ended = new Promise((resolve) => {
    let link;
    const message = (text) => {
      if (pid === undefined) link.then((link) => link.send(""));
      pid ??= JSON.parse(text).pid;
    };
    link = stdio(["sh", "-c", endless]).open({ message, close: resolve }, {});
  });
  assert.match((await ended).message, /sh ended with status 0/);
  process.kill(pid, "SIGKILL");
});

test("a session whose call waits keeps no timer", async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const server = await ending(t, "answers", "exit", [], { isVirtual: false });
  const waiting = assert.rejects(server.app.request("wait"), /The session was closed/);
  await server.gets("wait");
  assert.equal(timers(), before);
  await server.app.close();
  await waiting;
});
