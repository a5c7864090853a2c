import { parse, stringify } from "../../../javascript/src/index.js";
import { fillIn, openMenu } from "../dialogs/load-dialogs.js";
import { isTimestamp } from "../text/dates.js";
import { humanize, isObject, textOf, valueAt } from "../text/value.js";
import { button, h } from "../ui/dom.js";

/** The most values that are offered. If there are more, the user enters one. */
const MAX_VALUES = 12;
const DAY = 86_400_000;
/** The filter that finds items without a value. */
const NO_VALUE = [null];
/** The ranges of days that are offered for dates, by their length. */
const RECENT = new Map([[1, "Today"], [7, "Last 7 days"], [30, "Last 30 days"]]);

/** Buttons for the filters and the order of a list. */
export class FilterChips {
  element = h("div", { class: "chips", role: "group", "aria-label": "Filters", hidden: true });
  #onChange;
  #drawn = "";

  /** @param {(set: Record<string, any>) => void} chooses null removes a filter */
  constructor(chooses) {
    this.#onChange = chooses;
  }

  /**
   * @param {Record<string, any> | undefined} filters by name
   * @param {() => readonly any[]} items whose values are offered
   */
  draw(filters, items) {
    const now = stringify(filters ?? null);
    if (now === this.#drawn || !filters) return;
    this.#drawn = now;
    this.element.hidden = Object.keys(filters).length === 0;
    const place = [...this.element.children].findIndex((chip) => chip.contains(document.activeElement));
    this.element.replaceChildren(...Object.entries(filters).map(([name, value]) => this.#chip(name, value, items)));
    /** @type {HTMLElement | null | undefined} */ (this.element.children[place]?.querySelector("button"))?.focus();
  }

  /**
   * @param {Record<string, any>} filters
   * @param {readonly any[]} items
   * @returns {import("../dialogs/popup-menu.js").Command[]}
   */
  commands(filters, items) {
    return Object.keys(filters).flatMap((name) => this.#choices(name, filters[name], items).map((command) => ({ ...command, group: humanize(name) })));
  }

  /**
   * @param {string} name
   * @param {any} value
   * @param {() => readonly any[]} items
   */
  #chip(name, value, items) {
    const set = isSet(value);
    const label = set ? `${humanize(name)}: ${filterText(name, value)}` : humanize(name);
    const choose = button("chip", () => {
      const { left, bottom } = choose.getBoundingClientRect();
      void openMenu(humanize(name), this.#choices(name, value, items()), { x: left, y: bottom + 4 });
    }, label);
    choose.setAttribute("aria-haspopup", "menu");
    const clear = set ? button("chip-clear", () => this.#onChange({ [name]: null }), "×") : null;
    clear?.setAttribute("aria-label", `Clear ${humanize(name).toLowerCase()}`);
    return h("span", { class: set ? "chosen" : "" }, choose, clear);
  }

  /**
   * @param {string} name
   * @param {any} value
   * @param {readonly any[]} items
   * @returns {import("../dialogs/popup-menu.js").Command[]}
   */
  #choices(name, value, items) {
    const choose = (/** @type {any} */ chosen) => ({
      name: filterText(name, chosen),
      icon: stringify(chosen) === stringify(value ?? null) ? "✓" : "",
      act: () => this.#onChange({ [name]: chosen }),
    });
    const other = async () => {
      const input = { name, summary: "", params: { properties: { [name]: {} }, required: [name] } };
      const given = await fillIn(humanize(name), input, [name]);
      if (given) this.#onChange(given);
    };
    const all = isSet(value) ? [{ name: "All", act: () => this.#onChange({ [name]: null }) }] : [];
    return [...all, ...(name === "sort" ? sortValues(items) : valuesOf(name, items)).map(choose), { name: "Other…", act: () => void other() }];
  }
}

/** @param {any} value */
function isSet(value) {
  return value !== null && value !== undefined;
}

/**
 * Returns the values that the loaded items have in a field.
 *
 * @param {string} name
 * @param {readonly any[]} items
 * @returns {any[]}
 */
function valuesOf(name, items) {
  const found = items.flatMap((item) => valueAt(item, name) ?? []).filter((value) => !isObject(value));
  if (found.length > 0 && found.every(isTimestamp)) return [...RECENT.keys()].map(since);
  const values = [...new Set(found.map((value) => stringify(value)))].sort();
  const isMissing = found.length > 0 && items.some((item) => isObject(item) && (valueAt(item, name) ?? null) === null);
  return [...(values.length > MAX_VALUES ? [] : values.map((value) => parse(value))), ...(isMissing ? [NO_VALUE] : [])];
}

/** @param {number} days */
function since(days) {
  const [year, month, day] = [new Date(Date.now() - (days - 1) * DAY)].flatMap((date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()]);
  return { from: [year, month, day].map((part) => String(part).padStart(2, "0")).join("-") };
}

/**
 * Returns the fields by which the items can be sorted, in both directions.
 *
 * @param {readonly any[]} items
 */
function sortValues(items) {
  const orders = (/** @type {any} */ value) => !isObject(value) && typeof value !== "boolean" && textOf(value).length < 60;
  const first = items.find(isObject) ?? {};
  const names = Object.keys(first).filter((name) => orders(first[name]));
  return names.slice(0, MAX_VALUES).flatMap((name) => [name, `-${name}`]);
}

/**
 * @param {string} name the filter's
 * @param {any} value
 */
function filterText(name, value) {
  if (name === "sort" && typeof value === "string") return value.startsWith("-") ? `${humanize(value.slice(1))} ↓` : `${humanize(value)} ↑`;
  const recent = [...RECENT].find(([days]) => isObject(value) && Object.keys(value).length === 1 && since(days).from === value.from);
  if (recent) return recent[1];
  if (isObject(value) && ("from" in value || "to" in value)) return `${textOf(value.from)} – ${textOf(value.to)}`.trim();
  if (stringify(value) === stringify(NO_VALUE)) return "None";
  return textOf(value) || "Empty text";
}
