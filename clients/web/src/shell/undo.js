import { button, h, setText } from "../ui/dom.js";

/**
 * An offer to undo an action.
 *
 * @typedef {object} Offer
 * @property {string} text names the action; empty until the server reports that the action can be undone
 * @property {() => unknown} undo may return a promise
 * @property {any} [order] a number: the later the action, the higher
 */

/** Shows the newest action that can be undone, at the bottom of the page, with a button that undoes it. */
export class Undo {
  #text = h("p", {});
  #button = button("button", () => this.undo(), "Undo");
  // Screen readers read live regions only if they were on the page before their text.
  element = h("div", { class: "toast", role: "status" });
  /** @type {Offer[]} oldest first */
  #offers = [];
  #count = 0;
  /** @type {Promise<unknown>} */
  #undoing = Promise.resolve();

  /** @param {Offer} offer a new offer, or an earlier offer, which keeps its position among the others */
  add(offer) {
    offer.order ??= ++this.#count;
    this.#offers = [...this.#offers.filter((other) => other !== offer), offer].sort((one, other) => one.order - other.order);
    this.#draw();
  }

  /** @param {Offer} offer to undo an action that was undone or can't be undone any more */
  remove(offer) {
    this.#offers = this.#offers.filter((other) => other !== offer);
    this.#draw();
  }

  /**
   * Undoes the newest action, after those that are being undone.
   *
   * @returns {boolean} whether there is one
   */
  undo() {
    const next = () => this.#offers.at(-1)?.undo();
    this.#undoing = this.#undoing.then(next, next);
    return this.#offers.length > 0;
  }

  #draw() {
    const text = this.#offers.filter(({ text }) => text).at(-1)?.text;
    if (!text) return this.element.replaceChildren();
    setText(this.#text, text);
    // The button stays the same element, so that it keeps the focus.
    if (!this.element.hasChildNodes()) this.element.append(this.#text, h("span", {}, this.#button));
  }
}
