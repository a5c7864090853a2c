import assert from "node:assert/strict";
import test from "node:test";
import { growth } from "./growth.js";

const times = (length, act) => {
  for (let place = 0; place < length; place += 1) act(place);
};
const numbers = (length) => Array.from({ length }, (_, place) => place);

/** Each function reads or creates the whole text for every part. */
const QUADRATIC = {
  "a loop in a loop": (length) => times(length, () => times(length, () => {})),
  "a search of a text": (length) => times(length, () => "a".repeat(length).indexOf("b")),
  "a pattern from the beginning": (length) => times(length, () => /b/.test("a".repeat(length))),
  "a pattern at each match": (length) => [..."[".repeat(length).matchAll(/\[/g)].map(({ index }) => /\]/g.exec("[".repeat(length).slice(index))),
  "the rest of a text": (length) => {
    for (let text = "a".repeat(length); text !== ""; ) text = text.slice(1);
  },
  "a search of an array": (length) => numbers(length).map((number, _, all) => all.includes(-number)),
  "an array that is copied": (length) => {
    let array = [];
    times(length, (number) => (array = [...array, number]));
  },
  "an array that is taken from": (length) => {
    for (const array = numbers(length); array.length > 0; ) array.shift();
  },
  "an object that is copied": (length) => {
    let object = {};
    times(length, (number) => (object = Object.assign({}, object, { [number]: number })));
  },
  "a value that is written": (length) => times(length, () => JSON.stringify(numbers(length))),
};
const LINEAR = {
  "a loop": (length) => times(length, () => {}),
  "all matches": (length) => "a[".repeat(length).replace(/\[/g, "("),
  "a pattern at a place": (length) => {
    const [pattern, text] = [/a/y, "ab".repeat(length)];
    times(length, (place) => {
      pattern.lastIndex = place;
      pattern.test(text);
    });
  },
  "an array that grows": (length) => {
    const array = [];
    times(length, (number) => array.push(number));
    return [...array, ...new Set(array)].join();
  },
};

for (const [name, work] of Object.entries(QUADRATIC)) test(`quadratic growth is detected: ${name}`, () => assert.ok(growth(work, 100) > 35));
for (const [name, work] of Object.entries(LINEAR)) test(`linear growth is recognized: ${name}`, () => assert.ok(growth(work, 100) < 12));

test("the steps are the same in each run", () => {
  const work = (length) => numbers(length).map(String).join().split(/,/);
  assert.equal(growth(work, 100), growth(work, 100));
});
