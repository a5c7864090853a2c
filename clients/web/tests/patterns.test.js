// Texts come from strangers: each pattern, and what renders texts, takes time in proportion to their length.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { growth } from "../../javascript/test/growth.js";
import { describe } from "../src/text/item-display.js";
import { install } from "./elements.js";

install();
const { renderAttachments } = await import("../src/item/attachments.js");
const { renderMarkdown } = await import("../src/item/body.js");

const SOURCES = fileURLToPath(new URL("../src/", import.meta.url));
/** A pattern in a line of source: it stands where a value begins. */
const LITERAL = /(?<=[(,=:?!|&[]\s*|return )\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\[])+)\/([a-z]*)/g;
const LENGTH = 4000;
/** Beginnings of texts by which long patterns are entered. */
const WORDS = ["http://", "https://a/", "data:", "data:image/png;", "<script>", "[a](http://", "](http://", "2026-01-01T00:00:00", "- ", "1. ", "# "];
/** A ratio between that of linear time, 10, and that of quadratic time, 100. */
const MOST_GROWTH = 35;

function patterns() {
  const files = readdirSync(SOURCES, { recursive: true }).filter((name) => name.endsWith(".js"));
  const found = files.flatMap((name) =>
    readFileSync(`${SOURCES}${name}`, "utf8").split("\n")
      .filter((line) => !/^\s*(\/?\*|\/\/)/.test(line))
      .flatMap((line) => [...line.matchAll(LITERAL)].map(([, source, flags]) => ({ name, source, flags }))),
  );
  return [...new Map(found.map((pattern) => [`${pattern.source}/${pattern.flags}`, pattern])).values()];
}

/** Texts that may make a pattern search in vain: something, a repeated part, and an end that doesn't fit. */
function* attacks(source) {
  const letters = [...new Set([...source.replace(/\\[a-zA-Z]|\\u[\da-f]{4}|\\p\{\w+\}/g, ""), " ", "a", "0", "\n"])];
  const starts = ["", ...letters, ...letters.flatMap((one) => letters.map((other) => one + other)), ...WORDS];
  for (const end of ["", "\u0001", "\nx"]) {
    for (const letter of letters) for (const start of starts) yield (length) => start + letter.repeat(length) + end;
    for (const part of starts.slice(1)) yield (length) => part.repeat(Math.ceil(length / part.length)) + end;
  }
}

/** Searches a text as `test`, `exec` and `replace` do. */
function search(pattern, text) {
  if (pattern.global) for (const _ of text.matchAll(pattern));
  else pattern.exec(text);
}

function isSlow(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system > 2000;
}

/** Asserts that the time for a text grows with its length only. */
function assertLinear(work, text, what) {
  if (!isSlow(() => work(text(LENGTH)))) return;
  const texts = new Map([LENGTH, 10 * LENGTH].map((length) => [length, text(length)]));
  const ratio = growth((length) => work(texts.get(length)), LENGTH);
  assert.ok(ratio < MOST_GROWTH, `${what}: ${ratio.toFixed()} times for ${JSON.stringify(text(8))}`);
}

test("the patterns of the page are found", () => {
  assert.ok(patterns().length > 50, `${patterns().length}`);
});

for (const { name, source, flags } of patterns()) {
  test(`a pattern takes time in proportion to the text: /${source}/${flags} in ${name}`, () => {
    const pattern = new RegExp(source, flags);
    for (const text of attacks(source)) assertLinear((text) => search(pattern, text), text, source);
  });
}

const PARTS = ["[", "]", "[a](", "[](http://", "*", "**", "_", "__", "*a ", "_a_b", "`", "``", "~~", "~~~ ", "#", " ", "\t", "> ", ">", "- ", "1. ", "\n", "\r", "a", "<", "http://", "[a](http://a)"];
const STARTS = ["", "# ", "# a", "- ", "> ", "[", "*", "**", "`", "a"];

for (const part of PARTS) {
  test(`Markdown takes time in proportion to its length: ${JSON.stringify(part)}`, () => {
    for (const start of STARTS) {
      for (const end of ["", "x", "](http://a", "\nx"]) {
        assertLinear(renderMarkdown, (length) => start + part.repeat(length / part.length) + end, "Markdown");
      }
    }
  });
}

test("a person's name takes time in proportion to its length", () => {
  for (const part of [" ", "<", ">", "a", "@", "<a@b> ", "<a@"]) {
    for (const end of ["", ">", "x", "<a@b>"]) {
      assertLinear((sender) => describe({ id: 1, subject: "One", sender }), (length) => `Mei${part.repeat(length)}${end}`, "name");
    }
  }
  const names = ["Mei <mei@example.org>", "Mei  <a@b>", "<a@b>", "Mei <a@b@c>", "Mei <@b>", "Mei <a b@c>", "Mei", "<a@b> x", "a <b> <c@d>"];
  const persons = names.map((sender) => describe({ id: 1, subject: "One", sender }).person);
  assert.deepEqual(persons, ["Mei", "Mei", "<a@b>", "Mei", "Mei <@b>", "Mei <a b@c>", "Mei", "<a@b> x", "a <b>"]);
});

test("the size of an attachment takes time in proportion to its length", () => {
  assertLinear((data) => renderAttachments([{ url: `data:image/png;base64,${data}` }]), (length) => `${"=".repeat(length)}x`, "data");
});

test("marks in a heading belong to it unless they are apart", () => {
  const headings = ["# One #", "# C#", "## One ##  ", "# #", "#   One", "# One # two"].map((text) => renderMarkdown(text).childNodes.map((node) => `${node.localName} ${node.textContent}`)[0]);
  assert.deepEqual(headings, ["h3 One", "h3 C#", "h4 One", "h3 ", "h3 One", "h3 One # two"]);
});
