/**
 * Compares the JavaScript client with Node's own pipes and JSON read by hand. Prints one number per line, as name, tab and
 * number.
 *
 * usage: node javascript_client.mjs SERVER CONFIGURATION
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "../../clients/javascript/src/index.js";
import { stdio } from "../../clients/javascript/src/stdio.js";

const PINGS = 20_000;
/** The number of measured pages of 1,000 items. As many are listed before the clock starts. */
const PAGES = 100;

const [server, configuration] = process.argv.slice(2);
const command = [server, "--config", configuration];

/** Returns how many times per second an operation runs. */
async function timed(count, perform) {
  const begin = performance.now();
  for (let number = 0; number < count; number += 1) await perform();
  return (1000 * count) / (performance.now() - begin);
}

async function measureRaw() {
  const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  let id = 0;
  let rest = "";
  let answered = () => {};
  child.stdout.setEncoding("utf8").on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    for (const line of lines) if (JSON.parse(line).id === id) answered();
  });
  const call = (method, params = {}) =>
    new Promise((resolve) => {
      answered = resolve;
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: (id += 1), method, params })}\n`);
    });
  await call("initialize", { protocolVersion: "1", capabilities: { deltas: true } });
  const pings = await timed(PINGS, () => call("ping"));
  await call("open", { screen: "items", view: "v" });
  await call("viewWillAppear");
  await timed(PAGES, () => call("loadMore"));
  const items = await timed(PAGES, () => call("loadMore"));
  child.stdin.end();
  await once(child, "exit");
  return { pings, items: 1000 * items };
}

async function measureClient() {
  const app = await connect(stdio(command));
  const pings = await timed(PINGS, () => app.request("ping"));
  const view = await app.open("items");
  await view.viewWillAppear();
  await timed(PAGES, () => view.loadMore());
  const items = await timed(PAGES, () => view.loadMore());
  if (view.items.length !== 1000 * (1 + 2 * PAGES)) throw new Error("the list isn't what was loaded");
  await app.close();
  return { pings, items: 1000 * items };
}

for (const [name, measure] of [["raw", measureRaw], ["client", measureClient]]) {
  const { pings, items } = await measure();
  console.log(`javascript.pings.${name}\t${pings}\njavascript.items.${name}\t${items}`);
}
