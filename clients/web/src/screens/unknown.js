import { button, h } from "../dom.js";
import { humane } from "../words.js";
import { Screen } from "./screen.js";

/** A view model of the server's own: its inputs without parameters, and what is current. */
export class UnknownScreen extends Screen {
  #inputs = h("div", { class: "inputs" });
  #values = h("dl", {});

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const buttons = this.about.inputs.map((input) => button("button", () => void this.ask(input), humane(input)));
    this.#inputs.append(...buttons);
    this.element.append(h("div", { class: "scroller" }, h("article", {}, this.#inputs, this.#values)));
  }

  begin() {
    this.draw();
  }

  focus() {
    this.#inputs.querySelector("button")?.focus();
  }

  draw() {
    const outputs = Object.entries(this.view.current).map(([name, value]) => {
      const written = h("code", {}, JSON.stringify(value, shown, 2));
      return h("div", {}, h("dt", {}, humane(name)), h("dd", {}, written));
    });
    this.#values.replaceChildren(...outputs);
  }
}

/**
 * Numbers that JavaScript's own JSON can't write, as texts.
 *
 * @this {any}
 * @param {string} name
 * @param {any} member
 */
function shown(name, member) {
  return typeof this[name] === "bigint" || this[name] instanceof Number ? String(this[name]) : member;
}
