import { button, h } from "../ui/dom.js";

/**
 * Something that was just done and can still be undone.
 *
 * @typedef {{text: string, undo: () => void}} Offer
 */

/** What can be undone on the page: a line at the bottom of the screens, with a button that undoes the newest. */
export class Undo {
  #text = h("p", {});
  #button = button("button", () => this.undo(), "Undo");
  // The region is on the page before it has a text: screen readers wouldn't read it out otherwise.
  element = h("div", { class: "toast", role: "status" });
  /** @type {Offer[]} oldest first */
  #offers = [];

  /** @param {Offer} offer */
  add(offer) {
    this.#offers.push(offer);
    this.#draw();
  }

  /** @param {Offer} offer that can't be undone any more, or was undone */
  remove(offer) {
    this.#offers = this.#offers.filter((other) => other !== offer);
    this.#draw();
  }

  /**
   * Undoes the newest.
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
    // Where nothing hovers, an element that was touched reports until the next touch that something does.
    return this.element.matches(matchMedia("(hover: hover)").matches ? ":hover, :focus-within" : ":focus-within");
  }

  #draw() {
    const newest = this.#offers.at(-1);
    if (!newest) return this.element.replaceChildren();
    this.#text.textContent = newest.text;
    // The button stays the same element, so it keeps the focus while there is more to undo.
    if (!this.element.hasChildNodes()) this.element.append(this.#text, h("span", {}, this.#button));
  }
}
