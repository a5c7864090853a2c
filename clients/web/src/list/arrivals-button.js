import { button, h, icon, setText } from "../ui/dom.js";

/** The button that goes to new items above the visible rows. */
export class ArrivalsButton {
  #text = h("span", {});
  element;

  /** @param {() => void} press */
  constructor(press) {
    this.element = button("pill", press, icon("up"), this.#text);
    this.element.hidden = true;
  }

  /** @param {string} text empty hides the button */
  show(text) {
    this.element.hidden = text === "";
    if (text !== "") setText(this.#text, text);
  }
}
