import { humanize, textOf } from "../text/value.js";
import { button, h, icon } from "../ui/dom.js";
import { errorNotice, Footer } from "../ui/notice.js";
import { Screen } from "./screen.js";

/** Shows tasks, each with its result. The outputs are in the order of the inputs. */
export class TaskScreen extends Screen {
  #names = [...this.info.inputs.keys()];
  #results = [...this.info.outputs.keys()];
  #tasks = h("ul", { class: "choices" });
  #foot = new Footer();

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    this.element.append(h("div", { class: "scroller" }, this.#tasks, this.#foot.element));
    const begins = this.#names.map((input) => button("choice", () => void this.send(input)));
    this.#tasks.append(...begins.map((task) => h("li", {}, task)));
    this.draw();
  }

  start() {
    this.draw();
  }

  focus() {
    this.#tasks.querySelector("button")?.focus();
  }

  draw() {
    [...this.#tasks.querySelectorAll("button")].forEach((task, place) => {
      const output = this.#results[place] ?? "";
      const what = h("span", { class: "row-title" }, humanize(this.#names[place] ?? ""));
      const texts = h("span", { class: "row-texts" }, what, result(output, this.view.value(output)));
      task.replaceChildren(texts, icon("next"));
    });
    const { failure } = this;
    this.#foot.show(failure, () => errorNotice(failure.message, "Try again", () => void this.send(failure.trigger)));
  }
}

/**
 * Shows the result of a task; a picture as such.
 *
 * @param {string} output
 * @param {any} value
 */
function result(output, value) {
  const name = humanize(output);
  const pictured = typeof value === "string" && value.startsWith("data:image/");
  if (pictured) return h("img", { src: value, alt: name, class: "picture" });
  return h("span", { class: "row-second" }, `${name}: ${textOf(value) || "–"}`);
}
