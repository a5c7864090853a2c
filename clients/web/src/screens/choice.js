import { sameId } from "../../../javascript/src/index.js";
import { button, h } from "../dom.js";
import { describe, humane, identity, inLine } from "../words.js";
import { Screen } from "./screen.js";

/** Something to choose, which other screens hear of. */
export class ChoiceScreen extends Screen {
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
    await this.ask("choose", { id: this.#chosen });
    this.#repeating = false;
  }

  focus() {
    this.#choices.querySelector("button")?.focus();
  }

  heard(/** @type {string} */ output, /** @type {any} */ value) {
    if (output !== "dismiss") super.heard(output, value);
    else if (!this.#repeating) this.page.leave(`${humane(this.view.screen)}: ${this.#choosing} is chosen, for the screens that follow it`);
  }

  draw() {
    this.#choices.replaceChildren(...this.view["choices"].map((/** @type {any} */ choice) => this.#choice(choice)));
  }

  /** @param {any} choice */
  #choice(choice) {
    const { title, facts } = describe(choice);
    const id = identity(choice);
    const more = facts.length > 0 ? h("span", { class: "row-second" }, inLine(facts)) : null;
    const label = h("span", { class: "row-title" }, typeof choice === "string" ? humane(title) : title);
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
    if (!(await this.ask("choose", { id }))) return;
    this.#chosen = id;
    const focused = this.#choices.contains(document.activeElement);
    this.draw();
    if (focused) /** @type {HTMLElement | null} */ (this.#choices.querySelector("[aria-pressed=true]"))?.focus();
  }
}
