import { h } from "../dom.js";
import { humane } from "../words.js";
import { Screen } from "./screen.js";

/** A view model of the server's own: its inputs without parameters, and what is current. */
export class UnknownScreen extends Screen {
  #inputs = h("div", { class: "inputs" });
  #values = h("dl", {});

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    const buttons = this.about.inputs.map((input) => h("button", { type: "button", class: "button", onclick: () => void this.ask(input) }, humane(input)));
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
    const outputs = Object.entries(this.view.current);
    this.#values.replaceChildren(
      ...outputs.map(([name, value]) => h("div", {}, h("dt", {}, humane(name)), h("dd", {}, h("code", {}, JSON.stringify(value, null, 2))))),
    );
  }
}
