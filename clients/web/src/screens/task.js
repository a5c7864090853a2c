import { h, icon } from "../dom.js";
import { Foot, notice } from "../notice.js";
import { humane, text } from "../words.js";
import { Screen } from "./screen.js";

/** What the user can do, each with what came of it. Outputs come in the order of the inputs. */
export class TaskScreen extends Screen {
  #tasks = h("ul", { class: "choices" });
  #foot = new Foot();

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    this.element.append(h("div", { class: "scroller" }, this.#tasks, this.#foot.element));
    const buttons = this.about.inputs.map((input) => h("button", { type: "button", class: "choice", onclick: () => void this.ask(input) }));
    this.#tasks.append(...buttons.map((button) => h("li", {}, button)));
    this.draw();
  }

  begin() {
    this.draw();
  }

  focus() {
    this.#tasks.querySelector("button")?.focus();
  }

  draw() {
    [...this.#tasks.querySelectorAll("button")].forEach((button, place) => {
      const output = this.about.outputs[place] ?? "";
      const what = h("span", { class: "row-title" }, humane(this.about.inputs[place] ?? ""));
      button.replaceChildren(h("span", { class: "row-texts" }, what, result(output, this.view.value(output))), icon("next"));
    });
    const error = this.view["error"];
    this.#foot.say(error, () => notice(error.message, "Try again", () => void this.ask(error.trigger)));
  }
}

/**
 * What came of a task: pictures as such.
 *
 * @param {string} output
 * @param {any} value
 */
function result(output, value) {
  const name = humane(output);
  if (typeof value === "string" && value.startsWith("data:image/")) return h("img", { src: value, alt: name, class: "picture" });
  return h("span", { class: "row-second" }, `${name}: ${text(value) || "–"}`);
}
