import { renderArticle } from "../item/article.js";
import { renderValue } from "../item/value-view.js";
import { loadDialogs } from "../lazy.js";
import { parametersOf } from "../net/discovery.js";
import { humanize, isObject, valueAt } from "../text/value.js";
import { button, h } from "../ui/dom.js";

/** @typedef {import("./screen.js").Screen} Screen */

/** Labels of inputs that aren't derived from their names. */
const NAMES = new Map([["reachBottom", "Show more"], ["loadMore", "Show more"]]);

/** Draws the inputs of a screen that have no design of their own: as buttons, or as forms if they have parameters. */
export class Inputs {
  element = h("div", { class: "inputs" });

  /**
   * @param {Screen} screen
   * @param {string[]} names
   * @param {() => unknown} [came] called when the forms are there
   */
  constructor(screen, names, came) {
    const inputs = names.map((name) => /** @type {import("../net/discovery.js").Input} */ (screen.info.inputs.get(name)));
    const [simple, others] = [inputs.filter((input) => parametersOf(input).length === 0), inputs.filter((input) => parametersOf(input).length > 0)];
    const press = ({ name = "", summary = "" }) => {
      const pressed = button("button", () => void screen.send(name), NAMES.get(name) ?? humanize(name));
      if (summary) pressed.title = summary;
      return pressed;
    };
    if (simple.length > 0) this.element.append(h("div", { class: "presses" }, ...simple.map(press)));
    // The module of forms is loaded lazily.
    if (others.length > 0) {
      void loadDialogs().then(({ Form }) => {
        this.element.append(...others.map((input) => this.#form(Form, screen, input)));
        came?.();
      });
    }
    this.element.hidden = names.length === 0;
  }

  /**
   * @param {typeof import("../dialogs/form.js").Form} Form
   * @param {Screen} screen
   * @param {import("../net/discovery.js").Input} input
   */
  #form(Form, screen, { name, summary, params }) {
    const parameters = parametersOf({ name, summary, params });
    const [only = ""] = parameters;
    // A single value next to its button needs no heading.
    const alone = parameters.length === 1 && !params.properties?.[only]?.properties;
    const label = alone && only === name ? "Set" : humanize(name);
    const send = (/** @type {object} */ given) => screen.submit(name, given);
    const form = new Form({ schema: params, label, values: screen.view.current, send });
    form.element.classList.toggle("alone", alone);
    form.element.setAttribute("aria-label", humanize(name));
    if (!alone) form.element.prepend(h("h3", {}, humanize(name)));
    if (summary) form.element.querySelector("h3")?.after(h("p", { class: "hint" }, summary));
    return form.element;
  }
}

/** Draws the states of a screen that have no design of their own, by their schemas. */
export class States {
  element = h("dl", { class: "states" });
  #screen;
  #names;
  /** @type {Map<string, any>} the values that are drawn */
  #values = new Map();

  /**
   * @param {Screen} screen
   * @param {string[]} names
   */
  constructor(screen, names) {
    this.#screen = screen;
    this.#names = names;
    this.element.append(...names.map((name) => h("div", {}, h("dt", {}, humanize(name)), h("dd", {}))));
    this.element.hidden = names.length === 0;
  }

  draw() {
    const { view, info } = this.#screen;
    this.#names.forEach((name, place) => {
      const value = view.value(name);
      if (this.#values.has(name) && this.#values.get(name) === value) return;
      this.#values.set(name, value);
      const drawn = isItem(value, info.display) ? renderArticle(value, info.display) : renderValue(value, info.outputs.get(name)?.value, humanize(name));
      this.element.children[place]?.lastElementChild?.replaceChildren(drawn);
    });
  }
}

/**
 * Whether a value has a title or body as the screen's `display` defines them.
 *
 * @param {any} value
 * @param {import("../text/item-display.js").Display} display
 */
function isItem(value, { title, body }) {
  const member = typeof body === "object" ? body.member : body;
  return isObject(value) && [title, member].some((path) => path !== undefined && valueAt(value, path) !== undefined);
}
