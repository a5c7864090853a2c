import { humane, text } from "../text/item-display.js";
import { button, h, icon } from "../ui/dom.js";
import { Foot, notice } from "../ui/notice.js";
import { Screen } from "./screen.js";

/** What the user can do, each with what came of it. Outputs come in the order of the inputs. */
export class TaskScreen extends Screen {
  #names = [...this.about.inputs.keys()];
  #results = [...this.about.outputs.keys()];
  #tasks = h("ul", { class: "choices" });
  #foot = new Foot();

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    this.element.append(h("div", { class: "scroller" }, this.#tasks, this.#foot.element));
    const begins = this.#names.map((input) => button("choice", () => void this.ask(input)));
    this.#tasks.append(...begins.map((task) => h("li", {}, task)));
    this.draw();
  }

  begin() {
    this.draw();
  }

  focus() {
    this.#tasks.querySelector("button")?.focus();
  }

  draw() {
    [...this.#tasks.querySelectorAll("button")].forEach((task, place) => {
      const output = this.#results[place] ?? "";
      const what = h("span", { class: "row-title" }, humane(this.#names[place] ?? ""));
      const texts = h("span", { class: "row-texts" }, what, result(output, this.view.value(output)));
      task.replaceChildren(texts, icon("next"));
    });
    const { failure } = this;
    this.#foot.say(failure, () => notice(failure.message, "Try again", () => void this.ask(failure.trigger)));
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
  const pictured = typeof value === "string" && value.startsWith("data:image/");
  if (pictured) return h("img", { src: value, alt: name, class: "picture" });
  return h("span", { class: "row-second" }, `${name}: ${text(value) || "–"}`);
}
