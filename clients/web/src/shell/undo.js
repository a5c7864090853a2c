import { button, h } from "../ui/dom.js";

/**
 * An action that can still be undone.
 *
 * @typedef {{text: string, undo: () => void}} Offer
 */

/** Shows the newest action that can be undone, at the bottom of the page, with a button that undoes it. */
export class Undo {
  #text = h("p", {});
  #button = button("button", () => this.undo(), "Undo");
  // Screen readers read live regions only if they were on the page before their text.
  element = h("div", { class: "toast", role: "status" });
  /** @type {Offer[]} oldest first */
  #offers = [];

  /** @param {Offer} offer */
  add(offer) {
    this.#offers.push(offer);
    this.#draw();
  }

  /** @param {Offer} offer that was undone or can't be undone any more */
  remove(offer) {
    this.#offers = this.#offers.filter((other) => other !== offer);
    this.#draw();
  }

  /**
   * Undoes the newest action.
   *
   * @returns {boolean} whether there was one
   */
  undo() {
    const newest = this.#offers.at(-1);
    newest?.undo();
    return newest !== undefined;
  }

  /** Whether the user is about to undo: the pointer or the focus is at the button. */
  get isPointedAt() {
    // On touch screens, an element stays hovered from one touch to the next.
    return this.element.matches(matchMedia("(hover: hover)").matches ? ":hover, :focus-within" : ":focus-within");
  }

  #draw() {
    const newest = this.#offers.at(-1);
    if (!newest) return this.element.replaceChildren();
    this.#text.textContent = newest.text;
    // The button stays the same element, so that it keeps the focus.
    if (!this.element.hasChildNodes()) this.element.append(this.#text, h("span", {}, this.#button));
  }
}
