import { sameId } from "../../../javascript/src/index.js";
import { choosingInput, parametersOf } from "../net/discovery.js";
import { describe, joinFacts } from "../text/item-display.js";
import { humanize } from "../text/value.js";
import { button, h } from "../ui/dom.js";
import { Screen } from "./screen.js";

/** Shows choices. Other screens follow what the user chooses. */
export class ChoiceScreen extends Screen {
  /** The state with the choices, the input that chooses one, and its parameter. */
  #output = this.stateNames().find((name) => Array.isArray(this.view.value(name))) ?? "";
  #input = /** @type {import("../net/discovery.js").Input} */ (choosingInput(this.info.inputs, this.info.outputs));
  #parameter = parametersOf(this.#input)[0] ?? "id";
  #choices = h("ul", { class: "choices" });
  /** @type {any} the id of the choice; undefined if none was made */
  #chosen;
  #chosenTitle = "";
  /** Whether the choice is only repeated to a new server. */
  #isRepeating = false;

  /** @param {ConstructorParameters<typeof Screen>} given */
  constructor(...given) {
    super(...given);
    this.element.append(h("div", { class: "scroller" }, this.#choices));
  }

  async start() {
    this.draw();
    if (this.#chosen === undefined) return;
    this.#isRepeating = true;
    await this.send(this.#input.name, { [this.#parameter]: this.#chosen });
    this.#isRepeating = false;
  }

  focus() {
    this.#choices.querySelector("button")?.focus();
  }

  receive(/** @type {string} */ output, /** @type {any} */ value) {
    if (output !== "dismiss") super.receive(output, value);
    else if (!this.#isRepeating) this.page.leave(this, `${humanize(this.view.screen)}: ${this.#chosenTitle} selected`);
  }

  draw() {
    this.#choices.replaceChildren(...this.view.value(this.#output).map((/** @type {any} */ choice) => this.#choice(choice)));
  }

  /** @param {any} choice */
  #choice(choice) {
    const { title, facts } = describe(choice, this.info.display);
    const id = this.idOf(choice);
    const more = facts.length > 0 ? h("span", { class: "row-second" }, joinFacts(facts)) : null;
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
    this.#chosenTitle = title;
    if (!(await this.send(this.#input.name, { [this.#parameter]: id }))) return;
    this.#chosen = id;
    const focused = this.#choices.contains(document.activeElement);
    this.draw();
    if (focused) /** @type {HTMLElement | null} */ (this.#choices.querySelector("[aria-pressed=true]"))?.focus();
  }
}
