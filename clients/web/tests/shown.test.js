import assert from "node:assert/strict";
import test from "node:test";
import { firstInputOf, takesNothing } from "../src/net/discovery.js";
import { ShownViews } from "../src/shell/shown-views.js";

const inputs = (named) => new Map(Object.entries(named).map(([name, params]) => [name, { name, summary: "", params }]));

test("appear and disappear are sent once each time a view is shown and hidden", () => {
  const told = [];
  const view = (name) => ({ name, send: (input) => told.push(`${name} ${input}`) });
  const [list, detail, silent] = ["list", "detail", "silent"].map(view);
  const shown = new ShownViews((view, input) => view !== silent && (view !== detail || input === "disappear"));
  const update = (...views) => {
    shown.update(new Map(views.map((view) => [view, () => view.send("appear")])));
    return told.splice(0);
  };
  assert.deepEqual(update(list), ["list appear"]);
  assert.deepEqual(update(list), []);
  assert.deepEqual(update(detail), ["list disappear"], "a view may have one of the inputs only");
  assert.deepEqual(update(detail, list), ["list appear"]);
  shown.hide(detail);
  shown.hide(detail);
  assert.deepEqual(update(silent), ["detail disappear", "list disappear"]);
  update(list);
  shown.reset();
  assert.deepEqual(update(list), ["list appear"], "a new connection");
});

test("the first page is loaded by the first suitable input without required parameters", () => {
  const [any, needs] = [{}, { properties: { id: {} }, required: ["id"] }];
  assert.equal(firstInputOf(inputs({ load: any, refresh: any, appear: any, viewDidAppear: any, viewWillAppear: any })), "viewWillAppear");
  assert.equal(firstInputOf(inputs({ refresh: any, appear: any, disappear: any })), "appear");
  assert.equal(firstInputOf(inputs({ refresh: any, appear: needs })), "refresh");
  assert.equal(firstInputOf(inputs({ disappear: any })), undefined);
  assert.deepEqual([takesNothing(inputs({ appear: needs }), "appear"), takesNothing(undefined, "appear")], [false, false]);
});
