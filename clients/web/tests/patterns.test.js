// The steps of rendering a text are proportional to its length, because texts come from strangers. test_patterns.py tests the patterns.
import assert from "node:assert/strict";
import test from "node:test";
import { growth } from "../../javascript/test/growth.js";
import { install } from "./elements.js";

install();
const { describe } = await import("../src/text/item-display.js");
const { renderAttachments } = await import("../src/item/attachments.js");
const { renderMarkdown } = await import("../src/item/body.js");

const LENGTH = 400;
/** A ratio between that of linear growth, 10, and that of quadratic growth, 100. */
const MOST_GROWTH = 15;

/** Asserts that the steps for a text grow with its length only. */
function assertLinear(work, text, what) {
  const texts = new Map([LENGTH, 10 * LENGTH].map((length) => [length, text(length)]));
  const ratio = growth((length) => work(texts.get(length)), LENGTH);
  assert.ok(ratio < MOST_GROWTH, `${what}: ${ratio.toFixed()} times for ${JSON.stringify(text(8))}`);
}

const PARTS = ["[", "]", "[a](", "[](http://", "*", "**", "_", "__", "*a ", "_a_b", "`", "``", "~~", "~~~ ", "#", " ", "\t", "> ", ">", "- ", "1. ", "\n", "\r", "a", "<", "http://", "[a](http://a)"];
const STARTS = ["", "# ", "# a", "- ", "> ", "[", "*", "**", "`", "a"];

for (const part of PARTS) {
  test(`Markdown takes steps in proportion to its length: ${JSON.stringify(part)}`, () => {
    for (const start of STARTS) {
      for (const end of ["", "x", "](http://a", "\nx"]) {
        assertLinear(renderMarkdown, (length) => start + part.repeat(length / part.length) + end, "Markdown");
      }
    }
  });
}

test("a person's name takes steps in proportion to its length", () => {
  for (const part of [" ", "<", ">", "a", "@", "<a@b> ", "<a@"]) {
    for (const end of ["", ">", "x", "<a@b>"]) {
      assertLinear((sender) => describe({ id: 1, subject: "One", sender }), (length) => `Mei${part.repeat(length)}${end}`, "name");
    }
  }
  const names = ["Mei <mei@example.org>", "Mei  <a@b>", "<a@b>", "Mei <a@b@c>", "Mei <@b>", "Mei <a b@c>", "Mei", "<a@b> x", "a <b> <c@d>"];
  const persons = names.map((sender) => describe({ id: 1, subject: "One", sender }).person);
  assert.deepEqual(persons, ["Mei", "Mei", "<a@b>", "Mei", "Mei <@b>", "Mei <a b@c>", "Mei", "<a@b> x", "a <b>"]);
});

test("the size of an attachment takes steps in proportion to its length", () => {
  assertLinear((data) => renderAttachments([{ url: `data:image/png;base64,${data}` }]), (length) => `${"=".repeat(length)}x`, "data");
});

test("only separate marks at the end of a heading are removed", () => {
  const headings = ["# One #", "# C#", "## One ##  ", "# #", "#   One", "# One # two"].map((text) => renderMarkdown(text).childNodes.map((node) => `${node.localName} ${node.textContent}`)[0]);
  assert.deepEqual(headings, ["h3 One", "h3 C#", "h4 One", "h3 ", "h3 One", "h3 One # two"]);
});
