// The choices in the menus of filters.
import assert from "node:assert/strict";
import test from "node:test";
import { install } from "./elements.js";

install();
const { FilterChips } = await import("../src/list/filter-chips.js");

/** @param {any} chosen the filter's value @param {any[]} items */
function offered(chosen, items) {
  /** @type {any[]} */
  const sets = [];
  const commands = new FilterChips((set) => sets.push(set)).commands({ label: chosen }, items);
  for (const command of commands.slice(0, -1)) command.act();
  return commands.slice(0, -1).map((command, place) => [command.icon, command.name, sets[place].label]);
}

test("rows without a value and rows with an empty text are separate choices", () => {
  const items = [{ id: 1, label: "bug" }, { id: 2, label: null }, { id: 3, label: "" }, { id: 4 }, null];
  assert.deepEqual(offered(null, items), [["", "Empty text", ""], ["", "bug", "bug"], ["", "None", [null]]]);
  assert.deepEqual(offered([null], items), [[undefined, "All", null], ["", "Empty text", ""], ["", "bug", "bug"], ["✓", "None", [null]]]);
  assert.deepEqual(offered("", [items[2]]), [[undefined, "All", null], ["✓", "Empty text", ""]]);
  assert.deepEqual(offered("bug", [items[0]]), [[undefined, "All", null], ["✓", "bug", "bug"]]);
  assert.deepEqual(offered(null, [items[1]]), []);
});
