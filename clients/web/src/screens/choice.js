import { sameId } from "../../../javascript/src/index.js";
import { parametersOf } from "../net/discovery.js";
import { describe, humane, identity, inLine } from "../text/item-display.js";
import { button, h } from "../ui/dom.js";
import { Screen } from "./screen.js";

/** Something to choose, which other screens hear of. */
export class ChoiceScreen extends Screen {
  /** The state that has the choices, the input that chooses, and its parameter. */
  #output = this.states().find((name) => Array.isArray(this.view.value(name))) ?? "";
  #input = /** @type {import("../net/discovery.js").Input} */ ([...this.about.inputs.values()][0]);
  #parameter = parametersOf(this.#input)[0] ?? "id";
  #choices = h("ul", { class: "choices" });
  /** @type {any} the id that was chosen here; undefined if none was */
  #chosen;
  #choosing = "";
  /** Whether what was chosen is only told to a server that has begun anew. */
  #repeating = false;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    this.element.append(h("div", { class: "scroller" }, this.#choices));
  }

  async begin() {
    this.draw();
    if (this.#chosen === undefined) return;
    this.#repeating = true;
    await this.ask(this.#input.name, { [this.#parameter]: this.#chosen });
    this.#repeating = false;
  }

  focus() {
    this.#choices.querySelector("button")?.focus();
  }

  heard(/** @type {string} */ output, /** @type {any} */ value) {
    if (output !== "dismiss") super.heard(output, value);
    else if (!this.#repeating) this.page.leave(this, `${humane(this.view.screen)}: ${this.#choosing} is chosen`);
  }

  draw() {
    this.#choices.replaceChildren(...this.view.value(this.#output).map((/** @type {any} */ choice) => this.#choice(choice)));
  }

  /** @param {any} choice */
  #choice(choice) {
    const { title, facts } = describe(choice, this.about.display);
    const id = identity(choice, this.about.display);
    const more = facts.length > 0 ? h("span", { class: "row-second" }, inLine(facts)) : null;
    const label = h("span", { class: "row-title", dir: "auto" }, title);
    const choose = () => void this.#choose(id, String(label.textContent));
    const pressed = button("choice", choose, label, more);
    pressed.setAttribute("aria-pressed", String(sameId(id, this.#chosen)));
    return h("li", {}, pressed);
  }

  /**
   * @param {any} id
   * @param {string} title
   */
  async #choose(id, title) {
    this.#choosing = title;
    if (!(await this.ask(this.#input.name, { [this.#parameter]: id }))) return;
    this.#chosen = id;
    const focused = this.#choices.contains(document.activeElement);
    this.draw();
    if (focused) /** @type {HTMLElement | null} */ (this.#choices.querySelector("[aria-pressed=true]"))?.focus();
  }
}
