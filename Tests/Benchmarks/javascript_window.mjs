/**
 * Measures the memory that the JavaScript client keeps for a list of ten million rows, beyond the rows in its window. Prints a
 * name, a tab and a number of bytes. It counts only memory in use, because the rest depends on Node's garbage collector.
 *
 * usage: node --expose-gc javascript_window.mjs SERVER CONFIGURATION
 */

import { connect } from "../../clients/javascript/src/index.js";
import { stdio } from "../../clients/javascript/src/stdio.js";

const MOVES = 5000;

const [server, configuration] = process.argv.slice(2);

/** Pseudorandom numbers from 0 to below 1, the same ones each time. */
let seed = 7;
const chance = () => (seed = (seed * 48_271) % 0x7fff_ffff) / 0x7fff_ffff;

function used() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const app = await connect(stdio([server, "--clock", "virtual", "--config", configuration]));
const view = await app.open("long", { window: { margin: 490 } });
view.viewWillAppear.send();
await app.advance(1000);

/** Moves the window to 1,000 rows, all of them loaded. */
async function hold(row) {
  view.viewport.send({ start: row, end: row + 20 });
  await app.advance(3000);
  const { held } = view.items;
  if (held.length !== 1000 || held.includes(null)) throw new Error("what is held isn't what was looked at");
}

for (const row of [500, 5_000_000, 1000]) await hold(row);
const before = used();
for (let move = 0; move < MOVES; move += 1) {
  const row = Math.floor(chance() * (view.items.length - 1000)) + 490;
  if (move % 2) view.jump.send({ index: row });
  else view.viewport.send({ start: row, end: row + 20 });
  await app.advance(300);
}
await hold(1000);
console.log(`javascript.window.memory\t${Math.max(0, used() - before)}`);
await app.close();
